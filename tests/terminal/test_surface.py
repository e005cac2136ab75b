"""How a question ends without an answer, and that questions never mix."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import partial

import anyio
import anyio.to_thread
import pytest

from elicitkit.core.fields import BooleanField, RequestedSchema, TextField
from elicitkit.core.model import Accept, Cancel, FormRequest, Response
from elicitkit.core.ports import Surface
from elicitkit.terminal import Terminal
from tests.terminal.person import EOF, EVERYTHING, Person, form, seated, talk

TEXT = form(TextField(name="t", required=True))


def at(person: Person) -> Terminal:
    return Terminal(stdin=person.stdin, stdout=person.stdout, lang="en", renderer="plain")


async def ask(terminal: Terminal, request: FormRequest, into: list[Response]) -> None:
    into.append(await terminal.fill(request, EVERYTHING))


def send_signal(number: signal.Signals) -> Callable[[Person], None]:
    def send(person: Person) -> None:
        person.type("")
        os.kill(os.getpid(), number)

    return send


@pytest.mark.requirement("M10")
@pytest.mark.anyio
async def test_modes_are_declared_only_on_a_terminal() -> None:
    with seated() as person:
        assert at(person).modes == {"form", "url"}
        assert isinstance(at(person), Surface)
        assert Terminal(stdin=person.stdin, stdout=io.StringIO()).modes == frozenset()
        assert Terminal(stdin=io.StringIO(), stdout=person.stdout).modes == frozenset()
        closed = io.StringIO()
        closed.close()
        assert Terminal(stdin=closed, stdout=person.stdout).modes == frozenset()


@pytest.mark.case("094-headless-does-not-declare")
@pytest.mark.anyio
async def test_without_a_terminal_the_question_is_cancelled_and_never_declined() -> None:
    out = io.StringIO()
    terminal = Terminal(stdin=io.StringIO("x\ns\n"), stdout=out)
    assert await terminal.fill(TEXT, EVERYTHING) == Cancel("no_person")
    assert out.getvalue() == ""


@pytest.mark.requirement("M04")
@pytest.mark.parametrize("before", [[], ["x"]])
@pytest.mark.anyio
async def test_the_end_of_input_cancels(before: list[str]) -> None:
    done = await talk(TEXT, *before, EOF)
    assert done.response == Cancel("eof")
    assert "Cancelled. No answer was given to everything." in done.seen


@pytest.mark.anyio
async def test_one_interrupt_asks_and_the_second_cancels() -> None:
    interrupt = send_signal(signal.SIGINT)
    done = await talk(TEXT, interrupt, interrupt)
    assert done.response == Cancel("interrupted")
    assert done.seen.count("Press Ctrl-C again to cancel (Not now).") == 1


@pytest.mark.anyio
async def test_a_line_after_an_interrupt_goes_on_and_forgets_it() -> None:
    interrupt = send_signal(signal.SIGINT)
    done = await talk(TEXT, interrupt, "x", interrupt, "s")
    assert done.response == Accept({"t": "x"})


@pytest.mark.anyio
async def test_a_hangup_signal_cancels() -> None:
    done = await talk(TEXT, send_signal(signal.SIGHUP))
    assert done.response == Cancel("hangup")


@pytest.mark.anyio
async def test_a_terminal_that_is_gone_cancels() -> None:
    done = await talk(TEXT, "x", Person.hang_up)
    assert done.response == Cancel("hangup")


@pytest.mark.anyio
async def test_a_terminal_that_was_gone_before_cancels() -> None:
    with seated() as person:
        terminal = at(person)
        assert terminal.modes == {"form", "url"}
        person.hang_up()
        gone = Terminal(stdin=person.stdin, stdout=person.stdout, interactive=True)
        assert await gone.fill(TEXT, EVERYTHING) == Cancel("hangup")


@pytest.mark.anyio
async def test_the_handlers_of_the_host_are_put_back() -> None:
    numbers = (signal.SIGINT, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    during: list[object] = []

    def note(person: Person) -> None:
        during.extend(signal.getsignal(number) for number in numbers)
        person.type(":cancel\n")

    await talk(TEXT, note)
    assert [signal.getsignal(number) for number in numbers] == before
    assert all(one != other for one, other in zip(during, before, strict=True))


@pytest.mark.anyio
async def test_a_lost_input_is_a_hangup_even_where_the_output_is_another_terminal() -> None:
    with seated() as hands, seated() as eyes, anyio.fail_after(10):
        terminal = Terminal(stdin=hands.stdin, stdout=eyes.stdout, lang="en", renderer="plain")
        answers: list[Response] = []
        async with anyio.create_task_group() as group:
            group.start_soon(ask, terminal, TEXT, answers)
            await eyes.prompted()
            hands.hang_up()
        assert answers == [Cancel("hangup")]


def test_the_interrupt_handler_of_a_running_loop_is_put_back() -> None:
    """asyncio's own runner sets one, and loses it when a handler of the loop goes."""
    terminal = Terminal(
        stdin=io.StringIO(":cancel\n"), stdout=io.StringIO(), lang="en", interactive=True
    )

    async def run() -> tuple[object, object]:
        before = signal.getsignal(signal.SIGINT)
        await terminal.fill(TEXT, EVERYTHING)
        return before, signal.getsignal(signal.SIGINT)

    before, after = asyncio.run(run())
    assert before is not signal.default_int_handler
    assert after is before


def test_a_host_with_an_interrupt_handler_on_its_loop_keeps_it() -> None:
    terminal = Terminal(
        stdin=io.StringIO(":cancel\n"), stdout=io.StringIO(), lang="en", interactive=True
    )

    async def run() -> bool:
        heard = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, heard.set)
        await terminal.fill(TEXT, EVERYTHING)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.wait_for(heard.wait(), 5)
        return heard.is_set()

    assert asyncio.run(run())


@pytest.mark.anyio
async def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        during: list[object] = []

        def note(person: Person) -> None:
            during.append(signal.getsignal(signal.SIGHUP))
            person.type(":cancel\n")

        done = await talk(TEXT, note)
        assert during == [signal.SIG_IGN]
        assert done.response == Cancel("dismissed")
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.case("107-parent-cancelled-closes-dialog")
@pytest.mark.anyio
async def test_a_withdrawn_question_ends_at_once_and_what_is_typed_later_answers_nothing() -> None:
    with seated() as person, anyio.fail_after(10):
        terminal = at(person)
        first: list[Response] = []
        async with anyio.create_task_group() as group:
            group.start_soon(ask, terminal, TEXT, first)
            await person.prompted()
            group.cancel_scope.cancel()
        assert first == []
        await person.see("everything no longer waits for this answer. It was not delivered:")
        person.type("late\nyes\n")
        await person.see("late\n")
        await person.see("yes\n")
        second: list[Response] = []
        async with anyio.create_task_group() as group:
            group.start_soon(ask, terminal, form(message="Next?"), second)
            await person.see("Next?")
            await person.prompted()
            assert second == []
            person.type(":cancel\n")
        assert second == [Cancel("dismissed")]


@pytest.mark.anyio
async def test_a_question_withdrawn_from_a_lost_terminal_ends_in_silence() -> None:
    with seated() as person, anyio.fail_after(10):
        answers: list[Response] = []
        async with anyio.create_task_group() as group:
            group.start_soon(ask, at(person), TEXT, answers)
            await person.prompted()
            person.hang_up()
            group.cancel_scope.cancel()
    assert answers == []


@pytest.mark.anyio
async def test_two_questions_at_once_take_turns() -> None:
    requests = [form(TextField(name="t"), message=f"Question {n}") for n in (1, 2, 3)]
    with seated() as person, anyio.fail_after(10):
        terminal = at(person)
        answers: dict[int, list[Response]] = {1: [], 2: [], 3: []}
        async with anyio.create_task_group() as group:
            for number, request in enumerate(requests, 1):
                group.start_soon(ask, terminal, request, answers[number])
                await anyio.wait_all_tasks_blocked()
            for number in (1, 2, 3):
                await person.see(f"Question {number}")
                await person.prompted()
                assert f"Question {number + 1}" not in person.seen
                person.type(f"answer {number}\n")
                await person.prompted()
                person.type("s\n")
    assert answers == {n: [Accept({"t": f"answer {n}"})] for n in (1, 2, 3)}
    assert "Question 1 of 2\n" in person.seen


@pytest.mark.anyio
async def test_a_question_withdrawn_before_its_turn_holds_up_nobody() -> None:
    with seated() as person, anyio.fail_after(10):
        terminal = at(person)
        first: list[Response] = []
        third: list[Response] = []
        async with anyio.create_task_group() as group:
            group.start_soon(ask, terminal, TEXT, first)
            await person.prompted()
            with anyio.CancelScope() as scope:
                group.start_soon(ask, terminal, form(message="Third?"), third)
                scope.cancel()
                await terminal.fill(form(message="Second?"), EVERYTHING)
            person.type(":cancel\n")
            await person.see("Third?")
            await person.prompted()
            person.type("yes\n")
    assert (first, third) == ([Cancel("dismissed")], [Accept({})])
    assert "Second?" not in person.seen


def pipes(lines: str, encoding: str = "utf-8") -> tuple[io.TextIOWrapper, io.TextIOWrapper]:
    """An input and an output that are no terminal."""
    read, write = os.pipe()
    os.write(write, lines.encode(encoding))
    os.close(write)
    out = tempfile.TemporaryFile("w+", encoding=encoding)  # noqa: SIM115  # closed by the test
    return os.fdopen(read, "r", encoding=encoding), out  # pyright: ignore[reportReturnType]


@pytest.mark.parametrize(
    ("lines", "response"),
    [
        ("x\ns\n", Accept({"t": "x"})),
        ("x\r\ns", Accept({"t": "x"})),
        ("x\n", Cancel("eof")),
        ("", Cancel("eof")),
    ],
)
@pytest.mark.anyio
async def test_a_person_behind_pipes_is_asked_when_the_host_says_so(
    lines: str, response: Response
) -> None:
    stdin, stdout = pipes(lines)
    with stdin, stdout:
        terminal = Terminal(stdin=stdin, stdout=stdout, lang="en", interactive=True)
        assert terminal.modes == {"form", "url"}
        assert await terminal.fill(TEXT, EVERYTHING) == response


@pytest.mark.parametrize("lines", ["x\ns\n", "x\ns"])
@pytest.mark.anyio
async def test_a_file_or_a_stream_that_cannot_be_polled_is_read_by_a_thread(lines: str) -> None:
    with tempfile.TemporaryFile("w+") as file:
        file.write(lines)
        file.seek(0)
        terminal = Terminal(stdin=file, stdout=io.StringIO(), lang="en", interactive=True)
        assert await terminal.fill(TEXT, EVERYTHING) == Accept({"t": "x"})
    stream = Terminal(stdin=io.StringIO(lines), stdout=io.StringIO(), lang="en", interactive=True)
    assert await stream.fill(TEXT, EVERYTHING) == Accept({"t": "x"})


class Slow(io.StringIO):
    """A stream whose lines come when the test lets them."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Event()
        self.lines: list[str] = []
        self.there = threading.Semaphore(0)

    def give(self, line: str) -> None:
        self.lines.append(line)
        self.there.release()

    def readline(self, size: int = -1, /) -> str:
        self.reader = threading.current_thread()
        self.asked.set()
        self.there.acquire()
        return self.lines.pop(0)


class Told(io.StringIO):
    """An output that tells when a prompt stands there."""

    def __init__(self) -> None:
        super().__init__()
        self.prompted = threading.Event()

    def write(self, text: str, /) -> int:
        written = super().write(text)
        if text == "> ":
            self.prompted.set()
        return written


@pytest.mark.anyio
async def test_a_read_that_outlives_its_question_swallows_no_line_of_the_next() -> None:
    slow, told = Slow(), Told()
    terminal = Terminal(stdin=slow, stdout=told, lang="en", interactive=True)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(ask, terminal, TEXT, [])
            await anyio.to_thread.run_sync(slow.asked.wait)
            group.cancel_scope.cancel()
        told.prompted.clear()
        answers: list[Response] = []
        async with anyio.create_task_group() as group:
            group.start_soon(ask, terminal, TEXT, answers)
            for line in ("x\n", "s\n"):
                await anyio.to_thread.run_sync(told.prompted.wait)
                told.prompted.clear()
                slow.give(line)
    assert answers == [Accept({"t": "x"})]


@pytest.mark.anyio
async def test_a_line_read_for_a_withdrawn_question_answers_not_the_next() -> None:
    slow, told = Slow(), Told()
    terminal = Terminal(stdin=slow, stdout=told, lang="en", interactive=True)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(ask, terminal, form(message="First?"), [])
            await anyio.to_thread.run_sync(slow.asked.wait)
            group.cancel_scope.cancel()
        slow.give("yes\n")
        await anyio.to_thread.run_sync(slow.reader.join)
        told.prompted.clear()
        answers: list[Response] = []
        async with anyio.create_task_group() as group:
            group.start_soon(ask, terminal, form(message="Second?"), answers)
            await anyio.to_thread.run_sync(told.prompted.wait)
            slow.give(":cancel\n")
    assert answers == [Cancel("dismissed")]


class Broken(io.StringIO):
    """A stream that fails when it is read."""

    def readline(self, size: int = -1, /) -> str:
        raise ValueError("closed")


@pytest.mark.anyio
async def test_a_stream_that_fails_cancels() -> None:
    terminal = Terminal(stdin=Broken(), stdout=io.StringIO(), lang="en", interactive=True)
    assert await terminal.fill(TEXT, EVERYTHING) == Cancel("hangup")


@pytest.mark.anyio
async def test_an_ascii_terminal_gets_escapes_it_can_print() -> None:
    with tempfile.TemporaryFile("w+", encoding="ascii") as out:
        terminal = Terminal(stdin=io.StringIO("x\ns\n"), stdout=out, lang="zh", interactive=True)
        assert await terminal.fill(form(TextField(name="名")), EVERYTHING) == Accept({"名": "x"})
        out.seek(0)
        assert "\\u540d" in out.read()


@pytest.mark.anyio
async def test_in_a_thread_of_its_own_a_question_leaves_the_signals_alone() -> None:
    def run() -> Response:
        terminal = Terminal(
            stdin=io.StringIO("x\ns\n"), stdout=io.StringIO(), lang="en", interactive=True
        )
        return anyio.run(partial(terminal.fill, TEXT, EVERYTHING))

    assert await anyio.to_thread.run_sync(run) == Accept({"t": "x"})


@pytest.mark.anyio
async def test_the_language_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELICITKIT_LANG", "zh_CN.UTF-8")
    out = io.StringIO()
    terminal = Terminal(stdin=io.StringIO(":cancel\n"), stdout=out, interactive=True)
    assert await terminal.fill(TEXT, EVERYTHING) == Cancel("dismissed")
    assert out.getvalue().startswith("\n提问方：everything\n")


CHILD = """
import fcntl, sys, termios, anyio
from elicitkit.core.fields import RequestedSchema, TextField
from elicitkit.core.model import FormRequest, Origin
from elicitkit.terminal import Terminal
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
request = FormRequest(
    message="Hello", schema=RequestedSchema(fields=(TextField(name="t", required=True),))
)
terminal = Terminal(lang="en", renderer="plain")
print(anyio.run(terminal.fill, request, Origin(label="everything"), backend=sys.argv[1]))
"""


@pytest.mark.parametrize(
    ("keys", "response"),
    [
        (["x\n", "s\n"], "Accept(content={'t': 'x'})"),
        (["half a line\x03", "\x03"], "Cancel(reason='interrupted')"),
        (["\x03", "x\n", "s\n"], "Accept(content={'t': 'x'})"),
        (["\x04"], "Cancel(reason='eof')"),
    ],
)
@pytest.mark.anyio
async def test_keys_of_a_controlling_terminal_reach_a_program_of_its_own(
    anyio_backend_name: str, keys: list[str], response: str
) -> None:
    """Here Ctrl-C is a key, and the terminal makes the signal of it."""
    with seated() as person, anyio.fail_after(30):
        command = [sys.executable, "-c", CHILD, anyio_backend_name]
        async with await anyio.open_process(
            command,
            stdin=person.slave,
            stdout=person.slave,
            stderr=person.slave,
            start_new_session=True,
        ) as process:
            for one in keys:
                with anyio.fail_after(20):
                    while not person._fresh().endswith("> "):
                        await person.look()
                person.type(one)
            await process.wait()
        person.catch_up()
        assert response in person.seen
        assert "Traceback" not in person.seen


@pytest.mark.anyio
async def test_one_yes_or_no_ends_as_cancel_at_the_end_of_input() -> None:
    schema = RequestedSchema(fields=(BooleanField(name="b", required=True),))
    done = await talk(FormRequest(message="Sure?", schema=schema), EOF)
    assert done.response == Cancel("eof")
