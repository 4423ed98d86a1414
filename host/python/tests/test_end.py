"""The end of the interpreter, and processes that were forked."""

import subprocess
import sys

import pytest

SCRIPTS = {
    "a result that has just been handed over": """
        import asyncio, offshoot
        async def main():
            await offshoot.AsyncSandbox().exec("(sleep 1; echo late) & echo done", timeout=0.2)
        asyncio.run(main())
    """,
    "what still runs": """
        import asyncio, offshoot
        async def main():
            sandbox = offshoot.AsyncSandbox()
            sandbox.spawn("while :; do :; done")
            asyncio.ensure_future(sandbox.exec("sleep 60"))
            await asyncio.sleep(0)
        asyncio.run(main())
    """,
    "a sandbox of another backend and what runs in it": """
        import asyncio, offshoot
        kept = offshoot.Backend("local").create()
        process = kept.spawn("sleep 60")
        async def main():
            sandbox = await offshoot.AsyncBackend("local").create()
            asyncio.ensure_future(sandbox.exec("sleep 60"))
            await asyncio.sleep(0)
        asyncio.run(main())
    """,
    "a function that is a command": """
        import asyncio, time, offshoot
        async def main():
            sandbox = offshoot.AsyncSandbox(commands={"slow": lambda call: time.sleep(0.5)})
            sandbox.spawn("slow; slow")
            await asyncio.sleep(0.1)
        asyncio.run(main())
    """,
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_the_interpreter_ends_well(script):
    source = "if True:\n" + script
    for _ in range(6):
        ended = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (0, "")


def test_a_forked_process_is_told():
    source = """if True:
        import os, offshoot
        sandbox = offshoot.Sandbox()
        sandbox.exec(":")
        if os.fork() == 0:
            try:
                sandbox.exec(":")
            except RuntimeError as error:
                print(error, flush=True)
            os._exit(0)
        os.wait()
    """
    ended = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert "multiprocessing's `spawn`" in ended.stdout and ended.returncode == 0
