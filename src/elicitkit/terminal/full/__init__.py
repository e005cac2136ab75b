"""The renderer in which a person moves about, on prompt_toolkit (extra ``tui``).

Nothing here is imported before a question is shown: the library takes a third of a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from elicitkit.i18n import Catalog
    from elicitkit.terminal.asked import AskedForm
    from elicitkit.terminal.asked_url import AskedPage, AskedUrl
    from elicitkit.terminal.console import Console
    from elicitkit.terminal.full.talk import FullTalk, FullWait


def begin_form(
    asked: AskedForm, console: Console, texts: Catalog, stdin: TextIO, stdout: TextIO
) -> FullTalk:
    """A form in this renderer."""
    from elicitkit.terminal.full import talk  # the optional extra

    return talk.form(asked, talk.Place(console, texts, stdin, stdout))


def begin_consent(
    asked: AskedUrl, console: Console, texts: Catalog, stdin: TextIO, stdout: TextIO
) -> FullTalk:
    """A question whether to open a URL, in this renderer."""
    from elicitkit.terminal.full import talk  # the optional extra

    return talk.consent(asked, talk.Place(console, texts, stdin, stdout))


def begin_wait(
    asked: AskedPage, console: Console, texts: Catalog, stdin: TextIO, stdout: TextIO
) -> FullWait:
    """A page that is open, in this renderer."""
    from elicitkit.terminal.full import talk  # the optional extra

    return talk.wait(asked, talk.Place(console, texts, stdin, stdout))
