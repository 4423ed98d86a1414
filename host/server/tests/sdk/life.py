"""Sandboxes from their making to their end, by the Python SDK."""

import time

from e2b import (
    NotFoundException,
    Sandbox,
    SandboxException,
    SandboxNotFoundException,
    SandboxQuery,
    SandboxState,
    Template,
)


def raises(kind, work):
    try:
        work()
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was expected")


def until(condition):
    while not condition():
        time.sleep(0.05)


box = Sandbox.create(timeout=100, metadata={"owner": "me & you", "n": "1"}, envs={"V": "kept"})
info = box.get_info()
assert info.sandbox_id == box.sandbox_id and info.template_id == "base"
assert info.metadata == {"owner": "me & you", "n": "1"} and info.state == SandboxState.RUNNING
assert 90 < (info.end_at - info.started_at).total_seconds() <= 100
box.set_timeout(500)
assert (box.get_info().end_at - info.started_at).total_seconds() > 400
assert box.is_running()
assert box.get_metrics() == []

# Pause and resume: files and settings stay.
box.commands.run("echo kept > state; cd /tmp")
assert box.pause()
assert not box.pause()
assert box.get_info().state == SandboxState.PAUSED and not box.is_running()
raises(SandboxException, lambda: box.commands.run("true"))
again = Sandbox.connect(box.sandbox_id, timeout=60)
assert again.commands.run("cat state; echo $V").stdout == "kept\nkept\n"
assert box.commands.run("cat state").stdout == "kept\n"
before = again.get_info().end_at
again.connect(timeout=10)
assert again.get_info().end_at >= before

# Branches.
(one, two) = box.fork(count=2)
one.files.write("state", "one")
assert [b.files.read("state").strip() for b in (box, one, two)] == ["kept", "one", "kept"]
assert one.commands.run("echo $V").stdout == "kept\n"
assert one.get_info().metadata["n"] == "1"

# Snapshots outlive what they were taken of.
first = one.create_snapshot()
named = one.create_snapshot(name="state-of-one")
assert named.names == ["state-of-one:default"]
one.files.write("state", "later")
one.kill()
for template in (first.snapshot_id, "state-of-one", named.snapshot_id):
    made = Sandbox.create(template)
    assert made.files.read("state") == "one"
    made.kill()
pages = Sandbox.list_snapshots(limit=1)
ids = []
while pages.has_next:
    ids += [snapshot.snapshot_id for snapshot in pages.next_items()]
assert sorted(ids) == sorted([first.snapshot_id, named.snapshot_id]), ids
assert Sandbox.delete_snapshot(first.snapshot_id) is True
assert Sandbox.delete_snapshot(first.snapshot_id) is False
raises(SandboxException, lambda: Sandbox.create(first.snapshot_id))

# Templates.
prepared = Sandbox.create("prepared")
assert prepared.files.read("prepared") == "yes\n"
assert "not found" in str(raises(SandboxException, lambda: Sandbox.create("no-such-template")))
raises(SandboxException, lambda: Sandbox.create(allow_internet_access=True))
assert Template.exists("base") and Template.alias_exists("prepared")
assert not Template.exists("no-such-template")

# Lists.
two.pause()
everything = {s.sandbox_id for s in Sandbox.list().next_items()}
assert everything == {box.sandbox_id, two.sandbox_id, prepared.sandbox_id}
mine = Sandbox.list(query=SandboxQuery(metadata={"owner": "me & you"}), limit=1)
found = []
while mine.has_next:
    found += mine.next_items()
assert {s.sandbox_id for s in found} == {box.sandbox_id, two.sandbox_id} and len(found) == 2
paused = Sandbox.list(query=SandboxQuery(state=[SandboxState.PAUSED])).next_items()
assert [s.sandbox_id for s in paused] == [two.sandbox_id]

# The end.
assert box.kill() is True
assert box.kill() is False
raises(SandboxNotFoundException, lambda: box.get_info())
raises(NotFoundException, lambda: Sandbox.connect(box.sandbox_id))
assert not box.is_running()
raises(SandboxException, lambda: box.files.read("state"))

# The end of its time: gone, or asleep.
short = Sandbox.create(timeout=1)
handle = short.commands.run("sleep 60", background=True)
raises(SandboxException, handle.wait)
until(lambda: not short.is_running())
sleepy = Sandbox.create(timeout=1, lifecycle={"on_timeout": "pause", "auto_resume": True})
sleepy.files.write("/tmp/a", "b")
until(lambda: sleepy.get_info().state == SandboxState.PAUSED)
assert sleepy.files.read("/tmp/a") == "b"
sleepy.kill()
