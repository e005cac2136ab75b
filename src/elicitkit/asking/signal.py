"""The signal that ends a round: this call has questions that are not answered yet.

It is a ``BaseException`` so that ``except Exception`` around ``ask`` lets it pass. Task
groups wrap what their tasks raise, so it is looked for inside exception groups.
"""

from __future__ import annotations

from typing import cast


class Signal(BaseException):
    """Raised by ``ask`` when the client must answer before the handler can go on.

    Args:
        task: Where it was raised. One from another task than the handler's own ended the
            round while parallel tasks were on their way.
    """

    def __init__(self, task: int) -> None:
        self.task = task
        super().__init__()


def without_signals(error: BaseException) -> BaseException | None:
    """What is left of an error once every signal is taken out; None if nothing is."""
    if isinstance(error, Signal):
        return None
    if not isinstance(error, BaseExceptionGroup):
        return error
    return cast("BaseExceptionGroup[BaseException]", error).split(Signal)[1]


def holds_signal(error: BaseException) -> bool:
    """The error is a signal, or a group with one somewhere inside."""
    if isinstance(error, BaseExceptionGroup):
        return cast("BaseExceptionGroup[BaseException]", error).subgroup(Signal) is not None
    return isinstance(error, Signal)
