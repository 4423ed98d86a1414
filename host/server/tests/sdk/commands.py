"""Commands by the Python SDK."""

import threading
import time

from e2b import (
    AuthenticationException,
    CommandExitException,
    InvalidArgumentException,
    NotFoundException,
    PtySize,
    Sandbox,
    SandboxException,
    TimeoutException,
)


def raises(kind, work):
    try:
        work()
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was expected")


box = Sandbox.create(timeout=120, envs={"A": "from the sandbox", "B": "too"})
run = box.commands.run

# Streams and exit codes.
done = run("printf out; printf err >&2")
assert (done.stdout, done.stderr, done.exit_code, done.error) == ("out", "err", 0, None)
failed = raises(CommandExitException, lambda: run("echo before; exit 3"))
assert (failed.exit_code, failed.stdout, failed.error) == (3, "before\n", "exit status 3")
assert raises(CommandExitException, lambda: run("no-such-command")).exit_code == 127
chunks = []
run("for i in 1 2 3; do echo $i; sleep 0.05; done", on_stdout=chunks.append)
assert "".join(chunks) == "1\n2\n3\n" and len(chunks) > 1, chunks
big = run("seq 200000").stdout
assert big == "".join(f"{n}\n" for n in range(1, 200001))
assert run("printf 'ä€😀'").stdout == "ä€😀"

# Directory, variables, account.
assert run("pwd").stdout == "/home/user\n"
assert run("pwd", cwd="/tmp").stdout == "/tmp\n"
raises(InvalidArgumentException, lambda: run("pwd", cwd="/nowhere"))
assert run("echo $A, $B", envs={"A": "of the command"}).stdout == "of the command, too\n"
assert run("echo $E2B_SANDBOX $E2B_SANDBOX_ID").stdout == f"true {box.sandbox_id}\n"
assert run("whoami", user="user").stdout == "user\n"
raises(AuthenticationException, lambda: run("whoami", user="nobody-here"))

# A login shell reads the profile.
box.files.write("/home/user/.bash_profile", "export FROM_PROFILE=yes\n")
assert run("echo $FROM_PROFILE").stdout == "yes\n"
box.files.remove("/home/user/.bash_profile")

# Time.
raises(TimeoutException, lambda: run("sleep 60", timeout=0.5))
while box.commands.list():
    time.sleep(0.05)  # The client's clock may be ahead of the kill.

# In the background: list, connect, kill.
handle = run("echo started; sleep 60; echo never", background=True)
(listed,) = box.commands.list()
assert listed.pid == handle.pid and listed.cmd == "/bin/bash" and listed.args[-1].startswith("echo started")
assert box.commands.kill(handle.pid) is True
killed = raises(CommandExitException, handle.wait)
assert killed.exit_code == -1 and killed.stdout == "started\n", killed
assert box.commands.kill(handle.pid) is False
assert box.commands.list() == []
raises(NotFoundException, lambda: box.commands.connect(handle.pid))

# A second listener, and one who left.
handle = run("while read -r line; do echo got $line; done", background=True, stdin=True)
other = box.commands.connect(handle.pid)
heard = []
listener = threading.Thread(target=lambda: heard.append(other.wait().stdout))
listener.start()
box.commands.send_stdin(handle.pid, "one\n")
handle.send_stdin("two\n")
box.commands.stream_input(handle.pid, ["three\n", "four\n"])
handle.close_stdin()
assert handle.wait().stdout == "got one\ngot two\ngot three\ngot four\n"
listener.join()
assert heard == ["got one\ngot two\ngot three\ngot four\n"], heard

handle = run("sleep 0.3; echo still here > /tmp/left", background=True)
handle.disconnect()
run("until [ -s /tmp/left ]; do sleep 0.05; done")
assert run("cat /tmp/left").stdout == "still here\n"

# A terminal.
seen = bytearray()
terminal = box.pty.create(size=PtySize(rows=24, cols=80), envs={"PS1": "$ "}, timeout=60)
box.pty.send_stdin(terminal.pid, b"echo $((6 * 7)) $COLUMNS\r")
box.pty.resize(terminal.pid, PtySize(rows=30, cols=100))
box.pty.connect(terminal.pid).disconnect()
box.pty.send_stdin(terminal.pid, b"exit 4\r")
ended = raises(CommandExitException, lambda: terminal.wait(on_pty=seen.extend))
assert ended.exit_code == 4
assert b"42 80\r\n" in seen, bytes(seen)

# The module for git, without a remote.
git, repository = box.git, "/home/user/repository"
git.init(repository)
git.configure_user("A", "a@example.com")
git.set_config("offshoot.test", "kept")
assert git.get_config("offshoot.test") == "kept"
box.files.write(f"{repository}/file", "1\n")
git.add(repository)
git.commit(repository, "first")
assert git.status(repository).file_status == []
git.create_branch(repository, "other")
assert sorted(git.branches(repository).branches) == ["master", "other"]
git.checkout_branch(repository, "master")
git.delete_branch(repository, "other")
box.files.write(f"{repository}/file", "2\n")
git.restore(repository, paths=["file"])
assert box.files.read(f"{repository}/file") == "1\n"
git.remote_add(repository, "origin", "https://git.example/r.git")
assert git.remote_get(repository, "origin") == "https://git.example/r.git"
raises(SandboxException, lambda: git.push(repository, "origin"))

# Another key.
raises(AuthenticationException, lambda: Sandbox.create(api_key="e2b_" + "f" * 40))
assert box.kill() is True
