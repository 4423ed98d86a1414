"""What the connector relies on, by `vercel-sandbox`."""

import os
from datetime import timedelta

from vercel.sandbox.sync import SandboxApiError, SandboxServiceOptions, SyncSandboxClient
from vercel.sandbox import SandboxCredentials


def credentials():
    names = ("VERCEL_TOKEN", "VERCEL_TEAM_ID", "VERCEL_PROJECT_ID")
    return SandboxCredentials(*(os.environ[name] for name in names))


options = SandboxServiceOptions(base_url=os.environ["VERCEL_SANDBOX_API_URL"], credentials_factory=credentials)
client = SyncSandboxClient.create(options=options)

box = client.create_sandbox(env={"KEPT": "a b"}, execution_time_limit=timedelta(minutes=10))
ran = box.run_process("bash", ["-c", 'echo out; echo "$KEPT" >&2; exit 3'], capture_output=True)
assert (ran.returncode, ran.stdout, ran.stderr) == (3, "out\n", "a b\n"), ran
name = box.name
box.stop()
again = client.resume_sandbox(name=name)
assert again.run_process("echo", ["again"], capture_output=True).stdout == "again\n"
again.destroy()
try:
    client.get_sandbox(name=name)
except SandboxApiError as error:
    assert error.status_code == 404, error
else:
    raise AssertionError("an error was expected")
client.close()
