"""Sandboxes from their making to their end, by the Python SDK."""

import os
import tempfile
import time

from e2b import (
    BuildException,
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
(metric,) = box.get_metrics()
assert 0 < metric.disk_used < metric.disk_total and metric.mem_total > 0, metric

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
assert "there are: base, code-interpreter-v1, prepared" in str(raises(SandboxException, lambda: Sandbox.create("no-such-template")))
# What the server's policy gives, which is nothing here.
assert Sandbox.create(allow_internet_access=True).kill()
assert box.get_info().allow_internet_access is False
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

# Templates that are built: files, variables, commands, and what runs from the start on.
with tempfile.TemporaryDirectory() as context:
    os.makedirs(f"{context}/app/deep")
    for name, text in {"one.txt": "one", "app/a": "a", "app/deep/b": "b"}.items():
        with open(f"{context}/{name}", "w") as file:
            file.write(text)
    template = (
        Template(file_context_path=context)
        .from_base_image()
        .copy("one.txt", "/home/user/", mode=0o600)
        .copy("app", "/srv/app")
        .set_envs({"BUILT": "yes", "PATH_OF": "/srv"})
        .set_workdir("/srv/app")
        .run_cmd("echo $BUILT > made; cat deep/b >> made")
        .set_start_cmd("echo started > /tmp/started; sleep 1000", "test -e /tmp/started")
    )
    log = []
    info = Template.build(template, "built", on_build_logs=log.append)
    assert info.name == "built" and any("RUN" in entry.message for entry in log), log
assert Template.exists("built")
made = Sandbox.create("built")
assert made.commands.run("pwd; cat made; echo $BUILT; cat /tmp/started").stdout == "/srv/app\nyes\nbyes\nstarted\n"
assert made.files.get_info("/home/user/one.txt").mode == 0o600
assert [process.tag for process in made.commands.list()] == ["start"]
made.kill()
for wrong, why in (
    (Template().from_python_image(), "backend with containers"),
    (Template().from_base_image().apt_install("curl"), "need root"),
    (Template().from_base_image().run_cmd("exit 3"), "exit status 3"),
):
    assert why in str(raises(BuildException, lambda: Template.build(wrong, "wrong")))
assert not Template.exists("wrong")
