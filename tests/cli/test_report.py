"""What is printed about fields and about results that are more than text."""

from __future__ import annotations

import pytest

from elicitkit.cli.report import PlainReport, first_line
from elicitkit.cli.shapes import field_row
from elicitkit.core.fields import ChoicesField, IntegerField, Option


def test_a_field_tells_all_that_is_known_of_it_and_nothing_that_is_not() -> None:
    many = ChoicesField(
        name="pets",
        title="Pets",
        description="Yours",
        options=(Option("cat", "Cat"), Option("dog")),
        default=("cat",),
    )
    assert field_row(many) == {
        "name": "pets",
        "kind": "choices",
        "required": False,
        "title": "Pets",
        "description": "Yours",
        "options": [{"const": "cat", "title": "Cat"}, {"const": "dog"}],
        "default": ["cat"],
    }
    assert field_row(IntegerField(name="n", required=True, default=0)) == {
        "name": "n",
        "kind": "integer",
        "required": True,
        "default": 0,
    }


def test_what_is_no_text_is_named_in_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = [
        {"type": "image", "mimeType": "image/png", "data": "AAAA"},
        {"type": "resource_link", "uri": "memo://1", "name": "memo"},
        {"type": "odd"},
    ]
    PlainReport().result(False, blocks, None)
    assert capsys.readouterr().out == "[image image/png]\n[resource_link memo://1]\n[odd]\n"


@pytest.mark.parametrize(
    ("text", "line"), [(None, ""), ("", ""), ("\n  One. \nTwo.", "One."), (" \n ", "")]
)
def test_the_first_line_is_the_first_with_words(text: str | None, line: str) -> None:
    assert first_line(text) == line
