import modal
from rounds import expect, serve

app = modal.App.lookup("offshoot-speed", create_if_missing=True)
image = modal.Image.from_registry("debian:bookworm-slim")
box = lambda given: given["create"]
serve([
    ("create", lambda _: modal.Sandbox.create(app=app, image=image, timeout=600)),
    ("exec true", lambda given: expect(box(given).exec("bash", "-c", "true").wait(), 0)),
    ("snapshot", lambda given: box(given).snapshot_filesystem(ttl=None)),
    ("kill", lambda given: box(given).terminate()),
])
