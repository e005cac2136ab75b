"""Which key does what in the full renderer.

Letters, arrows inside a line and the usual editing keys stay with the line that is typed:
no arrow in a text leads to a button (UX, failure 6). Enter, the vertical arrows, Esc and
the control keys below are ours.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from elicitkit.terminal.full.desk import Desk
from elicitkit.terminal.full.levels import Picking

_Guard: TypeAlias = Callable[[Callable[[], None]], None]


def bindings(desk: Desk, line: Buffer, guard: _Guard, typing: Condition) -> KeyBindings:
    """The keys of one desk.

    Args:
        desk: What the keys act on.
        line: The line that is typed.
        guard: Runs an act and shows what came of it.
        typing: Whether there is a line now.
    """
    keys = KeyBindings()

    def bind(act: Callable[[], None], *names: str, when: Filter | None = None) -> None:
        def struck(event: KeyPressEvent) -> None:
            guard(act)

        for name in names:
            keys.add(name, filter=when if when is not None else True)(struck)

    bind(partial(desk.move, 1), "down")
    bind(partial(desk.move, -1), "up", "s-tab")
    bind(partial(desk.turn_page, 1), "pagedown")
    bind(partial(desk.turn_page, -1), "pageup")
    bind(partial(desk.edge, last=False), "home", when=~typing)
    bind(partial(desk.edge, last=True), "end", when=~typing)
    bind(lambda: None if desk.suggest() else desk.move(1), "tab")
    bind(desk.enter, "enter")
    bind(desk.escape, "escape")
    bind(desk.help, "f1")
    bind(desk.read, "f2")
    bind(desk.extend, "c-t")
    bind(desk.reset, "c-r")
    bind(desk.empty, "c-o")
    bind(desk.interrupt, "c-c")
    bind(partial(desk.end, "eof"), "c-d", when=Condition(lambda: not line.text) | ~typing)
    bind(desk.leave_out, "delete", "backspace", when=~typing)
    bind(desk.toggle, " ", when=Condition(lambda: _ticking(desk)))
    # Without these, the library would put the control character into the line.
    bind(lambda: None, "c-z", "c-q", "c-v")
    _text(keys, desk, line, guard, typing)
    return keys


def _ticking(desk: Desk) -> bool:
    return isinstance(desk.level, Picking) and desk.level.ticks is not None


def _text(keys: KeyBindings, desk: Desk, line: Buffer, guard: _Guard, typing: Condition) -> None:
    @keys.add(Keys.Any, filter=~typing)
    def _(event: KeyPressEvent) -> None:
        if not isinstance(event.key_sequence[0].key, Keys):
            guard(lambda: desk.type(event.data))

    @keys.add(Keys.BracketedPaste)
    def _(event: KeyPressEvent) -> None:
        guard(lambda: line.insert_text(desk.paste(event.data)))
