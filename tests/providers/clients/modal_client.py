# What the connector relies on of Modal, by `modal`.
import os

import modal
from modal.exception import AuthError, ImageBuildError, NotFoundError

app = modal.App.lookup("offshoot-client", create_if_missing=True)
image = modal.Image.from_registry("debian:bookworm-slim")
secret = modal.Secret.from_name("offshoot-secret")
sandbox = modal.Sandbox.create(
    app=app, image=image, timeout=600, cpu=0.5, memory=256, env={"GIVEN": "a b"}, secrets=[secret], tags={"kind": "client"}
)


def run(box, *words, text=True, **options):
    process = box.exec(*words, text=text, **options)
    out, err = process.stdout.read(), process.stderr.read()
    return process.wait(), out, err


assert run(sandbox, "bash", "-c", "echo out; echo err >&2; exit 3") == (3, "out\n", "err\n")
assert run(sandbox, "bash", "-c", 'echo "$GIVEN" "$FROM_SECRET" "$OWN" "$PWD"', env={"OWN": "x"}, workdir="/tmp") == (
    0, "a b kept x /tmp\n", "")
assert run(sandbox, "printf", r"\377\000x", text=False)[1] == b"\xff\0x"

process = sandbox.exec("cat", text=False)
process.stdin.write(b"one\n")
process.stdin.drain()
process.stdin.write(b"two\n" * 100_000)
process.stdin.write_eof()
process.stdin.drain()
assert process.stdout.read() == b"one\n" + b"two\n" * 100_000
assert process.wait() == 0

process = sandbox.exec("bash", "-c", "echo begun; sleep 60")
assert next(iter(process.stdout)) == "begun\n" and process.poll() is None
same = modal.Sandbox.from_id(sandbox.object_id)
assert run(same, "bash", "-c", "mkdir -p /home/user/kept; echo text > /home/user/kept/file")[0] == 0
assert same.poll() is None

snapshot = sandbox.snapshot_filesystem(ttl=None)
branch = modal.Sandbox.create(app=app, image=snapshot, timeout=600)
assert run(branch, "cat", "/home/user/kept/file") == (0, "text\n", "")
assert run(branch, "rm", "/home/user/kept/file")[0] == 0
assert run(sandbox, "cat", "/home/user/kept/file")[1] == "text\n"

# Of the older kind.
gpus = modal.Sandbox.create(app=app, image=image, timeout=600, gpu="a100:2", env={"GIVEN": "gpu"})
assert len(gpus.object_id) == 25 and gpus.object_id.startswith("sb-"), gpus.object_id
assert run(gpus, "echo", "here") == (0, "here\n", "")

ids = [box.object_id for box in modal.Sandbox.list(app_id=app.app_id)]
assert set(ids) >= {sandbox.object_id, branch.object_id, gpus.object_id}, ids
tagged = [box.object_id for box in modal.Sandbox.list(tags={"kind": "client"})]
assert tagged == [sandbox.object_id], tagged
for box in (branch, gpus, sandbox):
    box.terminate()
    assert box.poll() == 137, box.poll()
assert not list(modal.Sandbox.list(app_id=app.app_id))
try:
    run(modal.Sandbox.from_id(branch.object_id), "true")
    raise AssertionError("the sandbox is gone")
except (NotFoundError, modal.exception.ConflictError):
    pass
try:
    modal.Sandbox.create(app=app, image=modal.Image.from_registry("no-such"))
    raise AssertionError("there is no such image")
except ImageBuildError:
    pass
try:
    client = modal.Client.from_credentials(os.environ["MODAL_TOKEN_ID"], "wrong")
    modal.App.lookup("offshoot-client", client=client)
    raise AssertionError("the secret is wrong")
except AuthError:
    pass
