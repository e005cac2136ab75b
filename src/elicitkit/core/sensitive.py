"""What a form may not ask for, and where its texts hold a link.

``secrets_in`` finds the words that give a secret away (M01, M02, A32, G30), ``urls_in``
the texts that hold a clickable URL (M51, A54). Whether a finding refuses, warns or is
overruled is for the caller to decide.

How strict a text is read depends on who writes the answer:

- A field in which a person types is read strictly: a secret word in its name, title,
  description or ``format`` counts, unless the sentence denies it ("not your password")
  or is about it ("password policy", "max tokens").
- A boolean or a choice cannot carry a secret, so its texts and options count only where
  they ask for one to be typed ("Enter your password").
- A message talks freely: there, too, only an ask counts.

``wide`` is for MCP 2025-06-18, which forbids any sensitive information: identity
numbers, health, belief and bank data. Contact data stays free, as in that page's example.

Every text is read once from left to right by one compiled lexer, so the time is linear
in its length. Look-alike letters of other scripts are not undone; a server that hides a
word can hide it anyway.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from elicitkit.core import words
from elicitkit.core.fields import (
    UNSET,
    BooleanField,
    ChoiceField,
    ChoicesField,
    Field,
    OtherField,
    RequestedSchema,
    TextField,
)

MESSAGE: Final = "message"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A secret that a form seems to ask for."""

    where: str
    """A field's name, or ``"message"``, which stands for the schema's own texts too."""
    word: str
    """The word that gave it away, in lower case."""


def secrets_in(message: str, schema: RequestedSchema, *, wide: bool = False) -> tuple[Finding, ...]:
    """The secrets that this form seems to ask for, in reading order, each once.

    Args:
        wide: Look for every kind of sensitive information, as MCP 2025-06-18 demands.
    """
    memo = schema.memo
    if (key := (__name__, wide)) not in memo:
        memo[key] = _findings(_schema_texts(schema), wide)
    asked = _findings([(MESSAGE, message, "prose")], wide)
    return tuple(dict.fromkeys((*asked, *memo[key])))


def urls_in(message: str, schema: RequestedSchema) -> tuple[str, ...]:
    """Where a text holds a clickable URL: ``"message"`` or names of fields.

    A scheme (``https://``, ``mailto:``), ``www.``, a Markdown or HTML link and a domain
    with a path count. A bare domain ("Booking.com") and an e-mail address do not.
    """
    texts = [(MESSAGE, message), (MESSAGE, schema.title), (MESSAGE, schema.description)]
    texts += [(one.name, text) for one in schema.fields for text in _shown(one)]
    return tuple(dict.fromkeys(where for where, text in texts if text and _URL.search(text)))


# --- what is read, and how strictly -------------------------------------------------

_Reading = Literal["typed", "given", "prose"]


def _findings(texts: Iterable[tuple[str, str, _Reading]], wide: bool) -> tuple[Finding, ...]:
    return tuple(
        Finding(where=where, word=word)
        for where, text, reading in texts
        for word in _read(text, reading, wide)
    )


def _schema_texts(schema: RequestedSchema) -> Iterator[tuple[str, str, _Reading]]:
    for text in (schema.title, schema.description):
        if text:
            yield MESSAGE, text, "prose"
    for one in schema.fields:
        reading = "given" if isinstance(one, BooleanField | ChoiceField | ChoicesField) else "typed"
        for text in _asked(one):
            yield one.name, text, reading


def _asked(one: Field) -> Iterator[str]:
    yield one.name
    yield from filter(None, (one.title, one.description))
    if isinstance(one, ChoiceField | ChoicesField):
        yield from _option_texts(one)
    elif isinstance(one, TextField) and one.format:
        yield one.format
    elif isinstance(one, OtherField) and isinstance(hint := one.raw.get("format"), str):
        yield hint


def _shown(one: Field) -> Iterator[str]:
    yield one.label
    if one.description:
        yield one.description
    if isinstance(one, ChoiceField | ChoicesField):
        yield from _option_texts(one)
    elif isinstance(one, TextField) and one.default is not UNSET and one.format != "uri":
        yield one.default


def _option_texts(one: ChoiceField | ChoicesField) -> Iterator[str]:
    for option in one.options:
        yield option.label
        if option.description:
            yield option.description


# --- the lexer ----------------------------------------------------------------------

_LETTER: Final = "[0-9a-z\u00df-\u024f]"
_END: Final = f"(?!{_LETTER})"
_CHINESE: Final = re.compile("[\u4e00-\u9fff]")


def _either(*groups: Iterable[str]) -> str:
    return "|".join(fragment for group in groups for fragment in group)


def _token(name: str, *groups: Iterable[str]) -> str:
    """One kind of token. Longer words come first, so that "card number" wins over "card"."""
    fragments = sorted((one for group in groups for one in group), key=len, reverse=True)
    english = [one for one in fragments if not _CHINESE.search(one)]
    chinese = [one for one in fragments if _CHINESE.search(one)]
    whole_words = f"(?:{_either(english)})\\d*{_END}"
    return f"(?P<{name}>{_either([whole_words], chinese)})"


_ABOUT: Final = (
    f"(?P<about> (?:the )?(?:{_either(words.ABOUT)}){_END}"
    f"| (?:{_either(words.ABOUT_LAST)}){_END}(?= *(?:$|[.,;:!?)\\n]))"
    f"| ?的?(?:{_either(words.ABOUT_ZH)}))?"
)


@cache
def _lexer() -> re.Pattern[str]:
    # Compiled on first use: it takes longer than importing the rest of the core.
    return re.compile(
        "|".join(
            [
                _token("harmless", words.HARMLESS, words.HARMLESS_ZH, words.WIDE_HARMLESS),
                _token("turn", words.TURNS),
                _token("no", words.NEGATIONS, words.NEGATIONS_ZH),
                _token("ask", words.ASKS, words.ASKS_ZH),
                f"(?:{_token('typed', words.TYPED, words.TYPED_ZH)}"
                f"|{_token('private', words.PRIVATE, words.PRIVATE_ZH)}"
                f"|{_token('secret', words.SECRETS, words.SECRETS_ZH)}"
                f"|(?P<glued>{_LETTER}*(?:{_either(words.GLUED)})s?\\d*{_END})){_ABOUT}",
                _token("join", words.JOINS),
                _token("target", words.TARGETS),
                _token("clause", words.CLAUSES),
                _token("filler", words.FILLERS),
                "(?P<stop>[!?;。\\n]|\\.(?!\\w))",
                "(?P<comma>[,:、|(—–-])",
                "(?P<close>\\))",
                f"(?P<word>{_LETTER}+|[^\\W\\d_])",
            ]
        )
    )


_CAMEL: Final = re.compile(
    "(?<=[a-z])(?=[A-Z])|(?<=[a-z][0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})"
)
_JOINERS: Final = re.compile(r"(?<=\w)-(?=\w)|[_/\\*`\"]")
_APOSTROPHES: Final = re.compile("['\u2019]")
_INVISIBLE: Final = re.compile("[\u00ad\u034f\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]")
_SPACES: Final = re.compile(r"[^\S\n]+")
_NOTHING_MORE: Final = re.compile(r"(?:,? please)? *(?:$|[.?!:;。\n]|是(?:什么|多少))")


def _normal(text: str) -> str:
    """The text as the word lists expect it."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    text = _CAMEL.sub(" ", _APOSTROPHES.sub("", text))
    return _SPACES.sub(" ", _JOINERS.sub(" ", text)).lower().strip()


def _read(text: str, reading: _Reading, wide: bool) -> Iterator[str]:
    """The secret words that this text asks for."""
    text = _normal(text)
    sentence = _Sentence()
    for token in _lexer().finditer(text):
        kind = token.lastgroup or ""
        if kind in _SENSITIVE:
            counts = wide or kind in ("secret", "glued")
            freely = reading == "typed" or (reading == "given" and kind == "private")
            bare = reading == "prose" and _NOTHING_MORE.match(text, token.end()) is not None
            if counts and sentence.asks(freely=freely, bare=bare):
                yield token.group()
            kind = "word"
        sentence.take(kind)


_SENSITIVE: Final = frozenset({"secret", "glued", "typed", "private"})


class _Sentence:
    """What the words read so far in a sentence make of the next one."""

    __slots__ = ("_ask", "_denied", "_denied_outside", "_fresh", "_only_fillers")

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._ask: Literal["no", "open", "elsewhere"] = "no"
        self._denied = False
        self._denied_outside = False
        self._fresh = True  # a comma or the start came just before: a verb may begin here
        self._only_fillers = True

    def asks(self, *, freely: bool, bare: bool) -> bool:
        """Whether a secret word that stands here is asked for.

        Args:
            freely: The word counts without a verb.
            bare: Nothing follows the word in its sentence.
        """
        if self._denied:
            return False
        return freely or self._ask == "open" or (bare and self._only_fillers)

    def take(self, kind: str) -> None:
        """Go on by one token."""
        if kind == "stop":
            self._begin()
        elif kind == "ask":
            self._take_ask()
        elif kind == "no":
            self._denied = True
        elif kind == "turn":
            self._denied = False
        elif kind == "comma":
            self._denied_outside = self._denied
            self._resume()
        elif kind == "close":
            self._denied = self._denied_outside
        elif kind == "join":
            self._resume()
        elif kind == "target" and self._ask == "open":
            self._ask = "elsewhere"
        elif kind == "clause":
            self._ask = "no"
        self._fresh = kind in ("stop", "comma", "turn") or (self._fresh and kind == "filler")
        self._only_fillers = kind == "stop" or (self._only_fillers and kind == "filler")

    def _take_ask(self) -> None:
        """A verb of asking; it is denied too where the denial reaches it."""
        if self._fresh:
            self._denied = False
        self._ask = "open"

    def _resume(self) -> None:
        if self._ask == "elsewhere":
            self._ask = "open"


# --- links --------------------------------------------------------------------------

_TLDS: Final = (
    "com|org|net|edu|gov|io|dev|app|ai|co|info|biz|cloud|tech|site|online|xyz|link|page|ly|gg|to"
    "|me|cn|hk|tw|jp|kr|in|au|uk|de|fr|nl|es|it|ch|se|pl|ru|br|ca|us|eu|example|test"
)
_URL: Final = re.compile(
    rf"""
      (?<![a-z0-9])(?: [a-z][a-z0-9+.-]{{1,15}}://\S | (?:javascript|vbscript):\S
        | data:[a-z]+/[a-z0-9.+-]+[;,] | (?:mailto|tel|sms):[^\s:] )
    | (?<![a-z0-9@.-])(?: www\d?\.[a-z0-9-]+\.[a-z]
        | (?:[a-z0-9-]{{1,63}}\.){{1,8}}(?:{_TLDS})(?::\d{{1,5}})?/[^\s/]
        | localhost:\d{{1,5}}(?:/|\b) )
    | \]\([^\s)] | ^[ \t]*\[[^\]\n]{{1,200}}\]:\s | <a\s[^>]{{0,200}}href
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
