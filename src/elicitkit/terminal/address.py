"""One URL in words: whose it is, all of it, and what speaks for and against it.

The domain stands alone, since it is what a person can judge (UX17); the URL stands whole,
however long it is (M55); what it was spelled as stands beside it where that is another.
What may be typed to open it is decided here as well, so that no renderer can be more
generous than another. Pure: findings and a catalog in, lines out. URLS section 2.3.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from elicitkit.core.urls.findings import Findings
from elicitkit.i18n import Catalog
from elicitkit.terminal.asked import MESSAGE
from elicitkit.terminal.commands import fold

Opens: TypeAlias = Literal["at_once", "typed", "never"]
"""What it takes to open a URL: choosing so, typing its domain as well, or nothing does."""

_INDENT: Final = "  "


class Address:
    """A URL as it is shown to a person.

    Args:
        findings: What the URL really is.
        texts: The language of the person.
    """

    def __init__(self, findings: Findings, texts: Catalog) -> None:
        self._findings = findings
        self._texts = texts
        self._t = texts.t
        self.host = self._inert(findings.host_ascii or "")
        """The host in ASCII; empty where there is none to tell."""
        self.domain = self._inert(findings.registrable_domain or findings.host_ascii or "")
        """What a person should look at: the registrable domain, else the host."""
        self.url = self._inert(findings.url or "")
        """The only string that is opened; empty where there is none."""

    def _inert(self, text: str) -> str:
        return self._texts.inert(text, MESSAGE)

    @property
    def opens(self) -> Opens:
        """What it takes to open it."""
        if self._findings.verdict == "refuse" or not self.url or not self.domain:
            return "never"
        return "at_once" if self._findings.verdict == "ok" else "typed"

    def named_by(self, text: str) -> bool:
        """Whether ``text`` is the domain, in ASCII or as people write it."""
        return bool(self.domain) and fold(text) in {fold(self.domain), fold(self._readable())}

    def _readable(self) -> str:
        """The domain as people write it, cut from the readable host label by label."""
        labels = len(self.domain.split("."))
        return ".".join((self._findings.host_unicode or self.host).split(".")[-labels:])

    # Shown from top to bottom.

    def labelled(self) -> list[str]:
        """The domain with its label, for a text without weight."""
        return [self._t("consent.domain", domain=self.domain), *self.also()] if self.domain else []

    def also(self) -> list[str]:
        """The host as people write it, beside its ASCII form, where the two differ."""
        readable = self._findings.host_unicode
        if not readable or readable == self._findings.host_ascii:
            return []
        return [self._t("consent.readable", host=self.host, readable=self._inert(readable))]

    def whole(self) -> list[str]:
        """The whole URL."""
        return [_INDENT + self.url] if self.url else []

    def beside(self) -> list[str]:
        """The string as it came where it is another, and where a sign-in returns to."""
        lines: list[str] = []
        if self._findings.received is not None:
            lines += [self._t("consent.received"), _INDENT + self._inert(self._findings.received)]
        if self._findings.returns_to is not None:
            lines.append(self._t("consent.returns", url=self._inert(self._findings.returns_to)))
        return lines

    def told(self) -> list[str]:
        """The verdict and each finding, in plain words."""
        codes = (*self._findings.reasons, *self._findings.notices)
        return [self.verdict(), *(f"- {self._t(f'url.reason.{code}')}" for code in codes)]

    def verdict(self) -> str:
        """What comes of the findings, in one sentence."""
        return self._t("consent.verdict", verdict=self._t(f"url.verdict.{self._findings.verdict}"))
