"""The picture drawn by prompt_toolkit, below what the terminal already shows.

No alternate screen, no mouse, no colour, and no question to the terminal about its cursor:
lines are printed and drawn over in place, and taken away at the end. Texts reach the
library as plain fragments only, never as its markup.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.layout import (
    BufferControl,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    VerticalAlign,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth, Output

from elicitkit.terminal.full.desk import Desk
from elicitkit.terminal.full.keys import bindings
from elicitkit.terminal.full.levels import Picking, Typing
from elicitkit.terminal.full.paint import Painter
from elicitkit.terminal.full.picture import Line
from elicitkit.terminal.full.streams import resizes_given_back

_ESCAPE_SECONDS = 0.05
"""How long a lone Esc waits for the rest of a key that begins with it, such as an arrow."""
_META_SECONDS = 0.3
"""How long Esc waits for a letter, since Alt and a letter arrive as the two."""


class Show:
    """One desk on one terminal."""

    def __init__(self, desk: Desk, painter: Painter, source: Input, output: Output) -> None:
        self._desk = desk
        self._painter = painter
        self._buffer = Buffer(multiline=False, on_text_changed=self._edited)
        self._opened: Typing | Picking | None = None
        self._input = source
        self._output = output
        self.app: Application[None] = self._application()
        self._picture = self._painter.paint(80, 24)
        self._left = False

    def _application(self) -> Application[None]:
        app: Application[None] = Application(
            layout=self._layout(),
            key_bindings=bindings(self._desk, self._buffer, self.guarded, _typing(self._desk)),
            full_screen=False,
            mouse_support=False,
            erase_when_done=True,
            color_depth=ColorDepth.DEPTH_1_BIT,
            include_default_pygments_style=False,
            input=self._input,
            output=self._output,
            before_render=lambda _: self._repaint(),
        )
        app.ttimeoutlen = _ESCAPE_SECONDS
        app.timeoutlen = _META_SECONDS
        return app

    def _layout(self) -> Layout:
        self._line = Window(
            BufferControl(self._buffer, [BeforeInput(lambda: self._picture.prompt or "")]),
            height=lambda: Dimension.exact(int(self._picture.prompt is not None)),
        )
        self._body = Window(
            FormattedTextControl(
                lambda: _fragments(self._picture.body),
                focusable=True,
                show_cursor=True,
                get_cursor_position=lambda: Point(0, self._picture.cursor),
            ),
            height=lambda: Dimension.exact(self._picture.height),
        )
        parts = [
            _part(lambda: self._picture.top),
            self._body,
            _part(lambda: self._picture.below),
            self._line,
            _part(lambda: self._picture.foot),
        ]
        return Layout(HSplit(parts, align=VerticalAlign.TOP), focused_element=self._body)

    async def run(self) -> None:
        """Show the desk until there is a decision, or ``leave`` is called.

        Raises:
            EOFError: The input has ended.
        """
        clear_typeahead(self._input)
        try:
            with resizes_given_back():
                await self.app.run_async(
                    pre_run=lambda: self.leave() if self._left else None,
                    set_exception_handler=False,
                    handle_sigint=False,
                )
        finally:
            # Keys that were struck for this question must not answer the next one.
            clear_typeahead(self._input)

    def guarded(self, act: Callable[[], None]) -> None:
        """Do something to the desk and show it; whatever it raises ends the question."""
        try:
            act()
            self._sync()
        except Exception as error:  # inside a callback of the loop it would be lost
            self.leave(error)
            return
        if self._desk.over:
            self.leave()

    def leave(self, error: Exception | None = None) -> None:
        """End the show, even if it has not begun."""
        self._left = True
        if not self.app.is_running or self.app.is_done:
            return
        if error is not None:
            self.app.exit(exception=error)
        else:
            self.app.exit()

    def lost(self) -> None:
        """The terminal takes no more text."""
        self._desk.end("hangup")
        if self.app.loop is not None:
            self.app.loop.call_soon(self.leave)

    def _repaint(self) -> None:
        try:
            size = self._output.get_size()
            self._picture = self._painter.paint(size.columns, size.rows)
        except Exception as error:  # inside a callback of the loop it would be lost
            self.leave(error)

    def _sync(self) -> None:
        """Give the keys to the line of the level on top, or to its list."""
        level = self._desk.level
        if not isinstance(level, Typing | Picking):
            self._opened = None
            self.app.layout.focus(self._body)
            return
        if level is not self._opened or level.text != self._buffer.text:
            self._opened = level
            self._buffer.reset(Document(level.text))
        self.app.layout.focus(self._line)

    def _edited(self, buffer: Buffer) -> None:
        if self._opened is self._desk.level:
            self._desk.changed(buffer.text)


def _typing(desk: Desk) -> Condition:
    return Condition(lambda: isinstance(desk.level, Typing | Picking))


def _part(lines: Callable[[], Sequence[Line]]) -> Window:
    return Window(
        FormattedTextControl(lambda: _fragments(lines())),
        height=lambda: Dimension.exact(len(lines())),
    )


def _fragments(lines: Sequence[Line]) -> StyleAndTextTuples:
    fragments: StyleAndTextTuples = []
    for place, line in enumerate(lines):
        fragments += [("", "\n"), *line.parts()] if place else line.parts()
    return fragments
