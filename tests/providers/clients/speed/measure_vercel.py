import os

from rounds import expect, serve
from vercel.sandbox import SandboxCredentials
from vercel.sandbox.sync import SandboxServiceOptions, SyncSandboxClient

names = ("VERCEL_TOKEN", "VERCEL_TEAM_ID", "VERCEL_PROJECT_ID")
given_ones = lambda: SandboxCredentials(*(os.environ[name] for name in names))
options = SandboxServiceOptions(base_url=os.environ["VERCEL_SANDBOX_API_URL"], credentials_factory=given_ones)
client = SyncSandboxClient.create(options=options)
box = lambda given: given.get("resume") or given["create"]
serve([
    ("create", lambda _: client.create_sandbox()),
    ("exec true", lambda given: expect(box(given).run_process("true", [], capture_output=True).returncode, 0)),
    ("suspend", lambda given: box(given).stop()),
    ("resume", lambda given: client.resume_sandbox(name=given["create"].name)),
    ("kill", lambda given: box(given).destroy()),
])
