"""The options of a field as a list to pick from, a yes or no included.

Titles are shown and constants are sent (UX14). Typing narrows the list by part of either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from elicitkit.core.fields import BooleanField, ChoiceField, ChoicesField, Field, TextField
from elicitkit.core.typed import NO, YES
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import LABEL
from elicitkit.terminal.commands import fold
from elicitkit.terminal.describe import Words

TRUE: Final = "yes"
FALSE: Final = "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One option, inert and ready to show."""

    const: str
    label: str
    description: str = ""
    parts: tuple[str, ...] = ()
    """Folded texts of which any part names this option."""
    words: frozenset[str] = frozenset()
    """Folded words of which the beginning names it."""
    own: bool = False
    """No option, but the way to the line for an answer of one's own, whatever is typed."""

    def may_be(self, text: str) -> bool:
        """Whether ``text`` may mean this option; an empty one means any."""
        typed = fold(text)
        return (
            self.own
            or any(typed in part for part in self.parts)
            or any(word.startswith(typed) for word in self.words)
        )


def picks(one: Field, texts: Catalog, companion: TextField | None = None) -> tuple[Pick, ...]:
    """The options of a field, the way to its companion last; none where it is typed instead."""
    match one:
        case BooleanField():
            return (
                Pick(const=TRUE, label=texts.t("value.yes"), words=YES),
                Pick(const=FALSE, label=texts.t("value.no"), words=NO),
            )
        case ChoiceField() | ChoicesField():
            options = (
                Pick(
                    const=option.const,
                    label=texts.inert(option.label, LABEL),
                    description=option.description or "",
                    parts=(fold(option.label), fold(option.const)),
                )
                for option in one.options
            )
            return (*options, *_own(companion, texts))
        case _:
            return ()


def _own(companion: TextField | None, texts: Catalog) -> tuple[Pick, ...]:
    if companion is None:
        return ()
    label = Words(texts).own(companion)
    return (Pick(const="", label=label, description=companion.description or "", own=True),)
