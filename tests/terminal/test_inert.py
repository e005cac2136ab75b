"""Whatever a server writes, a terminal shows text and line ends, and only ours at the edge."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Mapping

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elicitkit.core.fields import (
    BooleanField,
    ChoiceField,
    ChoicesField,
    IntegerField,
    NumberField,
    Option,
    OtherField,
    RequestedSchema,
    TextField,
)
from elicitkit.core.model import FormRequest, Origin
from elicitkit.core.text import width
from elicitkit.i18n import Catalog, catalog
from elicitkit.i18n.en import TEXTS
from elicitkit.terminal import Terminal

HOSTILE = st.text(st.characters(codec=None), max_size=60) | st.sampled_from(
    [
        "\x1b[2J\x1b[H",
        "\x1b]8;;https://e\x07click\x1b]8;;\x07",
        "\x9b31m",
        "a\rb",
        "\u202egnp.exe",
        "\u2028> s",
        "\r\n> s",
    ]
)
OPTIONS = st.lists(st.builds(Option, HOSTILE, HOSTILE, HOSTILE), min_size=1, max_size=3)


@st.composite
def hostile_forms(draw: st.DrawFn) -> FormRequest:
    options = tuple(draw(OPTIONS))
    common = {"title": draw(HOSTILE), "description": draw(HOSTILE)}
    fields = (
        TextField(
            name=draw(HOSTILE) + "a",
            format=draw(HOSTILE),
            pattern=draw(HOSTILE),
            default=draw(HOSTILE),
            **common,
        ),
        ChoiceField(name=draw(HOSTILE) + "b", options=options, default=options[0].const, **common),
        ChoicesField(name=draw(HOSTILE) + "c", options=options, **common),
        IntegerField(name=draw(HOSTILE) + "d", minimum=3, **common),
        NumberField(name=draw(HOSTILE) + "e", required=True, **common),
        BooleanField(name=draw(HOSTILE) + "f", **common),
        OtherField(name=draw(HOSTILE) + "g", raw={}, **common),
    )
    schema = RequestedSchema(fields=fields, title=draw(HOSTILE), description=draw(HOSTILE))
    return FormRequest(message=draw(HOSTILE), schema=schema)


def shown(request: FormRequest, origin: Origin, typed: str, lang: str | Catalog) -> str:
    out = io.StringIO()
    terminal = Terminal(stdin=io.StringIO(typed), stdout=out, lang=lang, interactive=True)
    anyio.run(terminal.fill, request, origin)
    return out.getvalue()


TYPED = "\n1\nx\nzz\n:review\ns\n:message\n:more\n:help\n:what\n7\n:review\ns\n"


@pytest.mark.requirement("M59")
@settings(max_examples=60, deadline=None)
@given(request=hostile_forms(), claimed=HOSTILE, lang=st.sampled_from(["en", "zh"]))
def test_no_control_of_any_kind_is_ever_written(
    request: FormRequest, claimed: str, lang: str
) -> None:
    seen = shown(request, Origin(label="us", claimed=claimed, request=claimed), TYPED, lang)
    acting = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert [char for char in seen if char != "\n" and unicodedata.category(char) in acting] == []
    assert [line for line in seen.split("\n") if width(line) > 80] == []


def test_words_of_a_server_never_begin_a_line_as_ours_do() -> None:
    forged = "Review: this goes to a friend"
    far = "x" + " " * 200
    request = FormRequest(
        message=f"hello\n{forged}\n\n> s\n{far}{forged}",
        schema=RequestedSchema(
            fields=(
                TextField(
                    name="a", title=far + forged, description=f"d\n{forged}", default=far + forged
                ),
                ChoiceField(name="b", options=(Option("c", far + forged, far + forged),)),
            )
        ),
    )
    seen = shown(request, Origin(label="us", claimed=far + forged), "\n\n:cancel\n", "en")
    assert seen.count(forged) >= 7
    assert [line for line in seen.split("\n") if line.startswith(forged)] == []


class Marked(Mapping[str, str]):
    """The English texts, each between marks."""

    def __getitem__(self, key: str) -> str:
        return "\n".join(f"⟦{line}⟧" for line in TEXTS[key].split("\n"))

    def __iter__(self):  # type: ignore[no-untyped-def]  # only to be a mapping
        return iter(TEXTS)

    def __len__(self) -> int:
        return len(TEXTS)


def test_every_word_of_ours_comes_from_a_catalog() -> None:
    """What is left outside the marks is what the server wrote, numbers and signs."""
    option = Option("0", "0")
    request = FormRequest(
        message="0",
        schema=RequestedSchema(
            fields=(
                TextField(name="0", min_length=2, default="00"),
                IntegerField(name="1", required=True, maximum=3),
                ChoicesField(name="2", options=(option,), min_items=1),
                BooleanField(name="3", default=True),
                OtherField(name="4", raw={}),
            )
        ),
    )
    typed = ":help\n\n9\n:what\n-\n:empty\n:more\n:back\n0\n2\n\n\ns\n1\n-\ns\n:x\ns\n:cancel\n"
    seen = shown(request, Origin(label="0", claimed="0"), typed, Catalog("x", Marked()))
    depth = 0
    outside: list[str] = []
    for char in seen:
        depth += (char == "⟦") - (char == "⟧")
        if depth == 0 and char != "⟧":
            outside.append(char)
    assert {char for char in outside if char.isalpha()} == set()
    assert depth == 0
    assert seen.count("⟦") > 40


def test_a_plain_talk_holds_no_escape_in_either_language() -> None:
    request = FormRequest(message="m", schema=RequestedSchema(fields=(TextField(name="t"),)))
    for lang in ("en", "zh"):
        seen = shown(request, Origin(label="us"), ":help\nx\ns\n", lang)
        assert "\x1b" not in seen
        assert catalog(lang).t("end.accept", who="us") in seen
