"""Contexts: interpreters that keep their state from cell to cell."""

import asyncio
import base64
import gc
import threading
import time

import pytest

from offshoot import AsyncSandbox, CapabilityError, NotFoundError, OffshootError, Sandbox, UnavailableError

BUSY = "print('begun', flush=True)\nwhile True: pass"


@pytest.fixture
def sandbox():
    with Sandbox() as sandbox:
        yield sandbox


class Started(threading.Thread):
    """A cell on a thread of its own, which has begun to write."""

    def __init__(self, context, code, **options):
        super().__init__(daemon=True)
        self.begun, self.outcome, self.error = threading.Event(), None, None
        self.call = lambda: context.run(code, on_stdout=lambda _piece: self.begun.set(), **options)
        self.start()
        assert self.begun.wait(30)

    def run(self):
        try:
            self.outcome = self.call()
        except OffshootError as error:
            self.error = error

    def ended(self):
        self.join(30)
        assert not self.is_alive()
        return self


def test_state_lives_from_cell_to_cell(sandbox):
    with sandbox.context(cwd="/tmp", env={"WHO": "you"}) as context:
        assert (context.language, context.cwd) == ("python", "/tmp")
        context.run("import os\nx = 41")
        outcome = context.run("print(os.environ['WHO'], os.getcwd(), end='')\nx + 1")
        assert (outcome.text, outcome.stdout, outcome.ok, outcome.number) == ("42", "you /tmp", True, 2)
        assert context.run("os.environ['WHO']", env={"WHO": "me"}).text == "'me'"
        assert context.run("os.environ['WHO']").text == "'you'"
        sandbox.files.write("/tmp/seen", "by both")
        assert context.run("open('seen').read()").text == "'by both'"


@pytest.mark.parametrize(
    ("language", "code", "stdout", "text"),
    [
        ("bash", "x=5; echo $((x * 2))", "10\n", None),
        ("python", "print(10)\n'a'", "10\n", "'a'"),
        ("javascript", "console.log(10); 3 + 4", "10\n", "7"),
        ("js", "1 + 1", "", "2"),
    ],
)
def test_languages(sandbox, language, code, stdout, text):
    outcome = sandbox.context(language).run(code)
    assert (outcome.stdout, outcome.text, outcome.error) == (stdout, text, None)


def test_what_a_context_cannot_begin_with(sandbox):
    with pytest.raises(CapabilityError):
        sandbox.context("cobol")
    with pytest.raises(NotFoundError):
        sandbox.context(cwd="/nowhere")
    with pytest.raises(ValueError):
        sandbox.context("bash").run(":", timeout=-1)


def test_values_have_media_types(sandbox):
    code = """
class Shown:
    def __repr__(self): return "plain"
    def _repr_html_(self): return "<b>html</b>"
    def _repr_png_(self): return b"\\x89PNG"
    def _repr_json_(self): return {"deep": [1, None, "ü"]}
display("before")
Shown()
"""
    seen = []
    outcome = sandbox.context().run(code, on_result=seen.append)
    first, last = outcome.results
    assert (first.main, first.text, last.main) == (False, "'before'", True)
    assert last.data["text/html"] == "<b>html</b>" and last.text == outcome.text == "plain"
    assert base64.b64decode(last.data["image/png"]) == b"\x89PNG"
    assert last.data["application/json"] == {"deep": [1, None, "ü"]}
    assert seen == outcome.results


def test_an_exception_is_a_result(sandbox):
    context = sandbox.context()
    outcome = context.run("x = 1\nprint('out')\n1 / 0")
    assert (outcome.error.name, outcome.error.value) == ("ZeroDivisionError", "division by zero")
    assert "1 / 0" in outcome.error.traceback and outcome.stdout == "out\n" and not outcome.ok
    assert context.run("x").text == "1"
    failed = sandbox.context("bash").run("echo why >&2; (exit 3)")
    assert (failed.error.name, failed.error.value, failed.stderr) == ("ExitStatus", "3", "why\n")


def test_output_is_seen_as_it_comes(sandbox):
    context, seen = sandbox.context("bash"), []
    told = {"on_stdout": lambda piece: seen.append(("out", piece)), "on_stderr": lambda piece: seen.append(("err", piece))}
    outcome = context.run("echo a; sleep 0.05; echo b >&2; sleep 0.05; echo c", **told)
    assert seen == [("out", b"a\n"), ("err", b"b\n"), ("out", b"c\n")]
    assert (outcome.stdout_bytes, outcome.stderr_bytes) == (b"a\nc\n", b"b\n")

    def refuse(_piece):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        context.run("while :; do echo x; done", on_stdout=refuse)
    assert context.run("echo alive").stdout == "alive\n"


def test_events_are_told_in_order(sandbox):
    run = sandbox.context().start("print('a')\ndisplay(1)\n{}['k']")
    events = [(e.kind, e.number or e.data or (e.result and e.result.text) or (e.error and e.error.name)) for e in run]
    assert events == [("started", 1), ("stdout", b"a\n"), ("result", "1"), ("error", "KeyError")]
    assert list(run) == [] and not run.timed_out


def test_a_run_that_is_closed_is_interrupted(sandbox):
    context = sandbox.context()
    context.run("x = 7")
    with context.start(BUSY) as run:
        next(event for event in run if event.kind == "stdout")
    assert list(run) == []
    assert context.run("x").text == "7"


def test_a_time_out_keeps_the_state(sandbox):
    context = sandbox.context()
    context.run("x = 7")
    started = time.monotonic()
    outcome = context.run("while True: pass", timeout=0.3)
    assert outcome.timed_out and outcome.error.name == "KeyboardInterrupt"
    assert time.monotonic() - started < 10
    assert context.run("x").text == "7"
    run = context.start("import time; time.sleep(60)", timeout=0.2)
    assert [event.error.name for event in run if event.error] == ["KeyboardInterrupt"] and run.timed_out


def test_an_interrupt_keeps_the_state(sandbox):
    context = sandbox.context()
    context.run("x = 7")
    busy = Started(context, BUSY)
    context.interrupt()
    assert busy.ended().outcome.error.name == "KeyboardInterrupt"
    assert not busy.outcome.timed_out and context.run("x").text == "7"
    context.interrupt()
    assert context.run("x").text == "7"


def test_what_does_not_follow_an_interrupt_is_ended(sandbox):
    context = sandbox.context(interruptible=False)
    with pytest.raises(OffshootError) as late:
        context.run("while True: pass", timeout=0.2)
    assert late.value.code == "TIMEOUT"
    with pytest.raises(OffshootError) as gone:
        context.run("1")
    assert gone.value.code == "DIED"
    context.restart()
    assert context.run("1").text == "1"


@pytest.mark.parametrize("interruptible", [True, False])
def test_a_restart_ends_a_cell_that_only_counts(sandbox, interruptible):
    context = sandbox.context(interruptible=interruptible)
    context.run("x = 7")
    busy = Started(context, BUSY)
    started = time.monotonic()
    context.restart()
    assert time.monotonic() - started < 10
    assert busy.ended().error.code == "DIED"
    assert context.run("'x' in globals()").text == "False"
    assert context.run("1 + 1").text == "2"


@pytest.mark.parametrize("interruptible", [True, False])
def test_a_close_ends_a_cell_that_only_counts(sandbox, interruptible):
    context = sandbox.context(interruptible=interruptible)
    busy = Started(context, BUSY)
    context.close()
    context.close()
    assert busy.ended().error.code == "SANDBOX_UNAVAILABLE"
    for call in (lambda: context.run("1"), context.restart, lambda: context.start("1")):
        with pytest.raises(UnavailableError):
            call()


def test_contexts_are_found_as_long_as_they_live(sandbox):
    first, second = sandbox.context("bash"), sandbox.context("bash")
    assert {context.id for context in sandbox.contexts()} == {first.id, second.id}
    first.run("x=1")
    again = sandbox.find_context(first.id)
    assert again.run("echo $x").stdout == "1\n"
    fork = sandbox.fork()
    assert {context.id for context in fork.contexts()} == {first.id, second.id}
    assert fork.find_context(first.id).run("echo $x").stdout == "1\n"
    second.close()
    for id in (second.id, "nobody"):
        with pytest.raises(NotFoundError):
            sandbox.find_context(id)
    del first, again
    gc.collect()
    assert sandbox.contexts() == []


def test_a_context_ends_with_its_sandbox():
    sandbox = Sandbox()
    context = sandbox.context("bash")
    sandbox.close()
    with pytest.raises(UnavailableError):
        context.run(":")


def test_asyncio():
    async def main():
        async with AsyncSandbox() as sandbox:
            async with await sandbox.context() as context:
                await context.run("x = 1")
                assert (await context.run("x + 1")).text == "2"
                kinds = [event.kind async for event in await context.start("print(1)\n2")]
                assert kinds == ["started", "stdout", "result"]
                other = await sandbox.context("bash")
                slow = [other.run("sleep 0.2; echo $((n += 1))") for _ in range(2)]
                assert sorted(outcome.stdout for outcome in await asyncio.gather(*slow)) == ["1\n", "2\n"]
                assert {found.id for found in sandbox.contexts()} == {context.id, other.id}
                assert (await sandbox.find_context(context.id).run("x")).text == "1"
                await context.restart()
                assert (await context.run("x")).error.name == "NameError"
            with pytest.raises(UnavailableError):
                await context.run("1")

    asyncio.run(main())


def test_cancelling_interrupts_the_cell():
    async def main():
        async with AsyncSandbox() as sandbox:
            context = await sandbox.context()
            await context.run("x = 7")
            begun = asyncio.Event()
            loop = asyncio.get_running_loop()
            told = lambda _piece: loop.call_soon_threadsafe(begun.set)  # noqa: E731
            task = asyncio.create_task(context.run(BUSY, on_stdout=told))
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            async with await context.start(BUSY) as run:
                async for event in run:
                    if event.kind == "stdout":
                        break
            return (await context.run("x")).text

    assert asyncio.run(main()) == "7"
