"""The signal, and what is left of an error without it. Ours."""

from __future__ import annotations

from elicitkit.asking.signal import Signal, holds_signal, without_signals


def test_a_signal_passes_except_exception() -> None:
    assert not issubclass(Signal, Exception)


def test_it_is_found_in_nested_groups_and_nothing_is_left() -> None:
    error = BaseExceptionGroup("", [BaseExceptionGroup("", [Signal(1)]), Signal(2)])
    assert holds_signal(error)
    assert without_signals(error) is None
    assert without_signals(Signal(1)) is None


def test_errors_beside_it_are_left() -> None:
    error = BaseExceptionGroup("", [Signal(1), BaseExceptionGroup("", [ValueError("v")])])
    rest = without_signals(error)
    assert isinstance(rest, BaseExceptionGroup)
    assert repr(rest) == repr(ExceptionGroup("", [ExceptionGroup("", [ValueError("v")])]))


def test_other_errors_are_what_they_were() -> None:
    error = ValueError()
    assert not holds_signal(error)
    assert without_signals(error) is error
    group = ExceptionGroup("", [error])
    assert not holds_signal(group)
    assert isinstance(without_signals(group), ExceptionGroup)
