"""The asynchronous half of the Python SDK."""

import asyncio
import os
import sys

from e2b import AsyncSandbox, CommandExitException, FilesystemEventType


async def main():
    box = await AsyncSandbox.create(timeout=120)
    done = await asyncio.gather(*(box.commands.run(f"sleep 0.1; echo {n}") for n in range(8)))
    assert [result.stdout for result in done] == [f"{n}\n" for n in range(8)]

    # Events arrive by themselves.
    await box.files.make_dir("w")
    events = asyncio.Queue()
    watch = await box.files.watch_dir("w", on_event=events.put_nowait)
    await box.files.write("w/a", "1")
    seen = [await events.get(), await events.get()]
    assert [(e.name, e.type) for e in seen] == [
        ("a", FilesystemEventType.CREATE),
        ("a", FilesystemEventType.WRITE),
    ], seen
    await watch.stop()

    handle = await box.commands.run("cat; exit 5", background=True, stdin=True)
    await handle.send_stdin("to cat\n")
    await handle.close_stdin()
    try:
        await handle.wait()
        raise AssertionError("an exit code was expected")
    except CommandExitException as error:
        assert (error.exit_code, error.stdout) == (5, "to cat\n")

    await box.files.write("b", b"\x00\xff")
    assert bytes(await box.files.read("b", format="bytes")) == b"\x00\xff"
    await box.pause()
    box = await AsyncSandbox.connect(box.sandbox_id)
    assert await box.files.exists("b")
    assert await box.kill()


asyncio.run(main())
# At the interpreter's end a thread of the SDK's native transport can abort the process.
sys.stdout.flush()
os._exit(0)
