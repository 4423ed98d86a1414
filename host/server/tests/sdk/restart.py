"""What is there when the endpoint starts again: `restart.py before`, then `restart.py after`."""

import sys

from e2b import Sandbox, SandboxState

if sys.argv[1] == "before":
    running = Sandbox.create(timeout=600, metadata={"is": "running"})
    running.files.write("a", "of the running one")
    paused = Sandbox.create(timeout=600, metadata={"is": "paused"})
    paused.files.write("a", "of the paused one")
    paused.create_snapshot(name="of-it")
    paused.pause()
else:
    found = {info.metadata["is"]: info for info in Sandbox.list().next_items()}
    assert found["running"].state == SandboxState.RUNNING
    assert found["paused"].state == SandboxState.PAUSED
    for name, info in found.items():
        assert Sandbox.connect(info.sandbox_id).files.read("a") == f"of the {name} one"
    assert Sandbox.create("of-it").files.read("a") == "of the paused one"
