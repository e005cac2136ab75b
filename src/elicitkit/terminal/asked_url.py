"""A URL as it is asked about, and a page as it is waited for: the words of both renderers.

The order is that of URLS section 2.3: who asks, why, whose domain it is, the whole URL, the
findings, the choices. What may be answered is decided here once for both renderers; what
a URL is in words is ``address.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from elicitkit.core.model import Origin, UrlRequest
from elicitkit.core.open_page import Ending, Opening, OpenPage, Way
from elicitkit.core.ports import Turn
from elicitkit.core.urls.findings import Findings
from elicitkit.i18n import Catalog
from elicitkit.terminal.address import Address, Opens
from elicitkit.terminal.asked import Asked, alone
from elicitkit.terminal.commands import fold

OPEN: Final = frozenset({"o", "open", "opened", "打开", "已打开"})
"""What a person types to open a page, or to say that they have."""
WAYS: Final[Mapping[str, Way]] = {
    **dict.fromkeys(("a", "again", "再次打开", "重新打开"), "again"),
    **dict.fromkeys(("f", "finished", "done", "完成", "已完成"), "finished"),
    **dict.fromkeys(("g", "give up", "giveup", "放弃"), "give_up"),
}
"""What a person types while a page is waited for."""


class AskedUrl(Asked):
    """A question whether to open a URL.

    Args:
        request: The message; its URL is shown as the findings tell it.
        findings: What the URL really is.
        origin: Who asks.
        texts: The language of the person.
        turn: As for every question.
        waiting: As for every question.
        opening: How the page will be opened.
    """

    def __init__(
        self,
        request: UrlRequest,
        findings: Findings,
        origin: Origin,
        texts: Catalog,
        turn: Turn | None = None,
        waiting: Callable[[], int] = alone,
        *,
        opening: Opening = "browser",
    ) -> None:
        super().__init__((request.message,), origin, texts, turn, waiting)
        self.address = Address(findings, texts)
        self.opening: Opening = opening

    @property
    def opens(self) -> Opens:
        """What it takes to open the page.

        Where the browser could not be started, the person has typed the domain before.
        """
        opens = self.address.opens
        return "at_once" if self.opening == "failed" and opens == "typed" else opens

    def agreed(self, text: str) -> bool:
        """Whether a typed line consents."""
        match self.opens:
            case "at_once":
                return fold(text) in OPEN
            case "typed":
                return self.address.named_by(text)
            case "never":
                return False

    def details(self) -> Sequence[Sequence[str]]:
        """The domain, the whole URL and what is found about it."""
        one = self.address
        heading = [self._t("consent.address")] if one.url else []
        return (
            ["", self.what(), *one.labelled()],
            [*heading, *one.whole()],
            self.beside(),
            self.told(),
        )

    def traced(self) -> list[str]:
        """The URL stays, so that it can be copied still (UX18)."""
        return self.address.whole() if self.opens != "never" else self.address.labelled()

    def what(self) -> str:
        """What is asked of the person."""
        return self._t("consent.what" if self.address.domain else "consent.what_unknown")

    def beside(self) -> list[str]:
        """What else is to be read of the URL before consent."""
        return self.address.beside()

    def told(self) -> list[str]:
        """What is found about the URL."""
        return self.address.told()

    def lead(self) -> list[str]:
        """How the page will be opened; nothing where it will not be."""
        return [self._t(f"consent.opening.{self.opening}")] if self.opens != "never" else []

    def act(self) -> str:
        """What a person types to open it, or that nothing does."""
        key = self.opening if self.opens == "at_once" else self.opens
        return self._t(
            f"consent.act.{key}", who=self.who, host=self.address.host, domain=self.address.domain
        )

    def slip(self, text: str) -> list[str]:
        """What is said to a typed line that is no answer."""
        key = "consent.another" if self.opens == "typed" and text.strip() else "consent.nothing"
        return [self._t(key), self.act()]

    def ways(self) -> str:
        """The other two choices, as lines are typed."""
        return self._t("consent.ways")

    def labels(self) -> Mapping[str, str]:
        """The choices as rows of a list, by what they do."""
        return {
            "open": self._t(f"consent.do.{self.opening}", host=self.address.host),
            "decline": self._t("consent.do.decline"),
            "go_on": self._t("consent.do.go_on"),
        }

    def help(self) -> str:
        """What can be typed where a line is asked for."""
        return "\n".join((self.act(), self._t("consent.help")))

    def accepted(self) -> str:
        """What is said once the person has agreed."""
        return self._t(f"consent.end.{self.opening}", who=self.who, host=self.address.host)


class AskedPage(AskedUrl):
    """A page that was consented to, while its end is waited for.

    Args:
        page: The page.
        texts: The language of the person.
    """

    def __init__(self, page: OpenPage, texts: Catalog) -> None:
        super().__init__(page.request, page.findings, page.origin, texts, opening=page.opening)
        self._pending = page.pending

    def opener(self) -> str:
        """The first line, which names who waits."""
        return self._t("wait.from", who=self.who)

    def details(self) -> Sequence[Sequence[str]]:
        """The domain and the whole URL, for opening it by hand."""
        return (["", self.what(), *self.address.labelled()], self.address.whole())

    def what(self) -> str:
        """What was opened."""
        return self._t("wait.page")

    def beside(self) -> list[str]:
        """Nothing: it was read before consent."""
        return []

    def told(self) -> list[str]:
        """Nothing, for the same reason."""
        return []

    def lead(self) -> list[str]:
        """How it was opened, and whether the server still waits."""
        lines = [self._t(f"wait.opened.{self.opening}")]
        return [*lines, self._t("wait.pending", who=self.who)] if self._pending else lines

    def act(self) -> str:
        """What a person types."""
        return self._t(f"wait.act.{self.opening}")

    def slip(self, text: str) -> list[str]:
        """What is said to a typed line that is no answer."""
        return [self._t("wait.nothing"), self.act()]

    def labels(self) -> Mapping[str, str]:
        """The three ways as rows of a list."""
        return {
            "again": self._t(f"wait.do.{self.opening}"),
            "finished": self._t("wait.do.finished"),
            "give_up": self._t("wait.do.give_up"),
        }

    def help(self) -> str:
        """What can be typed where a line is asked for."""
        return "\n".join((self.act(), self._t("wait.help")))

    def interrupted(self) -> str:
        """What is said after the first Ctrl-C."""
        return self._t("wait.interrupt")

    def ended(self, ending: Ending) -> str:
        """The one sentence that tells why the wait is over."""
        return self._t(f"wait.ended.{ending}", who=self.who)
