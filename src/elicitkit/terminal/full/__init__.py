"""The renderer in which a person moves about the form, on prompt_toolkit (extra ``tui``).

Nothing here is imported before a question is shown: the library takes a third of a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from elicitkit.i18n import Catalog
    from elicitkit.terminal.asked import Asked
    from elicitkit.terminal.console import Console
    from elicitkit.terminal.full.talk import FullTalk


def begin(
    asked: Asked, console: Console, texts: Catalog, stdin: TextIO, stdout: TextIO
) -> FullTalk:
    """One question in this renderer."""
    from elicitkit.terminal.full.talk import FullTalk  # the optional extra

    return FullTalk(asked, console, texts, stdin, stdout)
