"""Both languages are complete and equal, and a locale finds its own."""

from __future__ import annotations

import ast
import string
from collections.abc import Mapping
from pathlib import Path

import pytest

import elicitkit.cli.url
import elicitkit.terminal
from elicitkit.core.check import MESSAGES, FieldError, check_value
from elicitkit.core.fields import ChoiceField, IntegerField, Option, TextField
from elicitkit.core.typed import READING_MESSAGES
from elicitkit.core.urls import LEVELS
from elicitkit.i18n import catalog, en, language_from, zh


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_both_languages_have_the_same_keys() -> None:
    assert set(en.TEXTS) == set(zh.TEXTS)


@pytest.mark.parametrize("key", sorted(en.TEXTS))
def test_both_languages_fill_the_same_places(key: str) -> None:
    assert places(en.TEXTS[key]) == places(zh.TEXTS[key])


@pytest.mark.parametrize("key", sorted(zh.TEXTS))
def test_no_chinese_text_was_left_in_english(key: str) -> None:
    patterned = key in {"review.row", "review.row_error", "review.row_bad", "review.problem"}
    assert patterned or any("\u4e00" <= char <= "\u9fff" for char in zh.TEXTS[key])


def test_every_error_has_its_text_in_every_language() -> None:
    codes = {f"error.{code}" for code in {**MESSAGES, **READING_MESSAGES}}
    assert codes == {key for key in zh.TEXTS if key.startswith("error.")}


@pytest.mark.parametrize("texts", [en.TEXTS, zh.TEXTS], ids=["en", "zh"])
def test_every_reason_code_has_plain_words_of_its_own(texts: Mapping[str, str]) -> None:
    words = {code: texts.get(f"url.reason.{code}") for code in LEVELS}
    assert None not in words.values()
    assert len(set(words.values())) == len(LEVELS)
    assert len([key for key in texts if key.startswith("url.reason.")]) == len(LEVELS)


def test_every_key_that_the_terminal_names_exists_and_every_key_is_named() -> None:
    """A key with a variable part counts by the part before it."""
    named: set[str] = set()
    prefixes: set[str] = {"error."}
    terminal = Path(elicitkit.terminal.__file__).parent.rglob("*.py")
    permission = Path(elicitkit.terminal.__file__).parents[1] / "acp" / "permission.py"
    for file in [*terminal, Path(elicitkit.cli.url.__file__), permission]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named.add(node.value)
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                prefixes.add(str(node.values[0].value))
    groups = {key.partition(".")[0] for key in en.TEXTS} - {"text"}
    looks_like_keys = {
        word for word in named if word.partition(".")[0] in groups and "." in word[:-1]
    } - prefixes
    assert {word for word in looks_like_keys if " " not in word} <= set(en.TEXTS)
    unused = {
        key
        for key in en.TEXTS
        if key not in named and not any(p and "." in p and key.startswith(p) for p in prefixes)
    }
    assert unused == {"text.cut"}


@pytest.mark.parametrize(
    ("lang", "tag"),
    [
        ("zh_CN.UTF-8", "zh-Hans"),
        ("zh-Hans", "zh-Hans"),
        ("zh", "zh-Hans"),
        ("ZH.utf8", "zh-Hans"),
        ("en_GB.UTF-8", "en"),
        ("de_DE", "en"),
        ("zha", "en"),
        ("C", "en"),
        ("", "en"),
        (None, "en"),
    ],
)
def test_a_locale_finds_its_catalog(lang: str | None, tag: str) -> None:
    assert catalog(lang).lang == tag


@pytest.mark.parametrize(
    ("environ", "lang"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh_CN.UTF-8"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_US"}, "en_US"),
        ({"LC_MESSAGES": "en_US", "LC_ALL": "zh_TW"}, "zh_TW"),
        ({"LC_ALL": "", "LANG": "zh"}, "zh"),
        ({"ELICITKIT_LANG": "en", "LC_ALL": "zh_CN"}, "en"),
        ({}, None),
    ],
)
def test_the_environment_names_the_language_in_the_order_of_posix(
    environ: dict[str, str], lang: str | None
) -> None:
    assert language_from(environ) == lang


def only_error(one: TextField | IntegerField | ChoiceField, value: object) -> FieldError:
    _, (error,) = check_value(one, value)
    return error


def test_an_error_is_told_in_the_language_of_the_person() -> None:
    error = only_error(IntegerField(name="n", maximum=5), 9)
    assert catalog("en").error(error) == error.message == "This must be 5 or less."
    assert catalog("zh").error(error) == "此项不能大于 5。"


def test_words_of_a_server_inside_an_error_are_inert() -> None:
    error = only_error(ChoiceField(name="c", options=(Option("{limit}"), Option("b" * 30))), "x")
    assert "{limit}" in catalog("zh").error(error)
    hostile = FieldError(
        field="p", code="no_match", message="", params={"pattern": "\x1b[2J" + "x" * 500}
    )
    told = catalog("zh").error(hostile)
    assert told.startswith("此项必须符合模式 \\x1b[2J")
    assert told.endswith("…（还有 207 个字符）")
