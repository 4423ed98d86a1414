"""The classes for asyncio: what differs from the synchronous ones, and that they have the same names."""

import asyncio
import inspect

import pytest

from offshoot import (
    AsyncBackend,
    AsyncBackendFiles,
    AsyncBackendProcess,
    AsyncBackendSandbox,
    AsyncCellRun,
    AsyncContext,
    AsyncFiles,
    AsyncProcess,
    AsyncSandbox,
    AsyncSandboxes,
    AsyncSession,
    AsyncTerminal,
    AsyncWatcher,
    Backend,
    BackendFiles,
    BackendProcess,
    BackendSandbox,
    CellRun,
    Context,
    Files,
    NotFoundError,
    Process,
    Sandbox,
    Sandboxes,
    Session,
    Terminal,
    Watcher,
)


def public(cls):
    return {
        name: inspect.signature(member)
        for name, member in vars(cls).items()
        if callable(member) and not name.startswith("_")
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Sandbox, AsyncSandbox),
        (Backend, AsyncBackend),
        (BackendSandbox, AsyncBackendSandbox),
        (BackendFiles, AsyncBackendFiles),
        (BackendProcess, AsyncBackendProcess),
        (Files, AsyncFiles),
        (Process, AsyncProcess),
        (Terminal, AsyncTerminal),
        (Watcher, AsyncWatcher),
        (Session, AsyncSession),
        (Context, AsyncContext),
        (CellRun, AsyncCellRun),
        (Sandboxes, AsyncSandboxes),
    ],
)
def test_both_have_the_same_operations(one, other):
    def parameters(signature):
        return list(signature.parameters)

    ours, theirs = public(one), public(other)
    assert {name: parameters(s) for name, s in ours.items()} == {name: parameters(s) for name, s in theirs.items()}


def run(coroutine):
    return asyncio.run(coroutine)


def test_many_run_at_once():
    async def main():
        async with AsyncSandbox() as base:
            branches = base.fork_many(20)
            results = await asyncio.gather(
                *(branch.exec(f"sleep 0.1; echo {n}") for n, branch in enumerate(branches))
            )
            return [result.stdout for result in results]

    assert run(main()) == [f"{n}\n" for n in range(20)]


def test_files_processes_and_sessions():
    async def main():
        async with AsyncSandbox(files={"/home/user/x": "1"}) as sandbox:
            assert await sandbox.files.read("x") == "1"
            await sandbox.files.write("y", b"2")
            assert [entry.name for entry in await sandbox.files.list()] == ["x", "y"]
            with pytest.raises(NotFoundError):
                await sandbox.files.read("z")
            process = sandbox.spawn("cat; echo e >&2; exit 2")
            await process.write("in")
            await process.close_stdin()
            assert b"".join([piece async for piece in process]) == b"in"
            assert b"".join([piece async for piece in process.stderr()]) == b"e\n"
            assert await process.wait() == 2
            session = sandbox.session()
            await session.exec("x=5")
            assert (await (await session.fork()).exec("echo $x")).stdout == "5\n"
            seen = []
            await sandbox.exec("seq 3", on_stdout=seen.append)
            assert b"".join(seen) == b"1\n2\n3\n"

    run(main())


def test_cancelling_ends_the_script():
    async def main():
        async with AsyncSandbox() as sandbox:
            task = asyncio.create_task(sandbox.exec("echo > began; sleep 1; echo > went-on"))
            while not await sandbox.files.exists("began"):
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await sandbox.exec("sleep 1.5")
            return await sandbox.files.exists("went-on")

    assert run(main()) is False


def test_coroutines_as_commands_run_in_the_loop():
    async def main():
        loop = asyncio.get_running_loop()

        async def ask(call):
            assert asyncio.get_running_loop() is loop
            await asyncio.sleep(0.01)
            return call.read().decode()[::-1]

        async with AsyncSandbox(commands={"ask": ask}) as sandbox:
            return (await sandbox.exec("printf abc | ask")).stdout

    assert run(main()) == "cba"


def test_somebody_types_while_somebody_reads():
    async def main():
        sandbox = AsyncSandbox(env={"PS1": "$ "})
        terminal = sandbox.terminal()
        seen = bytearray()

        async def read():
            async for piece in terminal:
                seen.extend(piece)

        reading = asyncio.ensure_future(read())
        await asyncio.sleep(0.05)
        await terminal.write("x=5\n")
        await terminal.write("echo $((x * 2))\n")
        await terminal.write("exit 3\n")
        await reading
        return bytes(seen), await terminal.wait()

    seen, status = asyncio.run(main())
    assert seen.startswith(b"$ $ 10\n$ ") and status == 3


def test_changes_are_told_as_they_come():
    async def main():
        sandbox = AsyncSandbox()
        watcher = await sandbox.files.watch(recursive=True)
        changed = asyncio.ensure_future(watcher.next())
        await sandbox.files.write("src/late", "x")
        return [(event.kind, event.path) for event in await changed]

    assert asyncio.run(main())[-1] == ("added", "/home/user/src/late")
