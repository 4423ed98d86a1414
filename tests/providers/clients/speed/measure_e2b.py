from e2b import Sandbox
from rounds import expect, files, serve

box = lambda given: given["create"]
serve([
    ("create", lambda _: Sandbox.create()),
    ("exec true", lambda given: expect(box(given).commands.run("true").exit_code, 0)),
    *files(
        lambda given, name, content: box(given).files.write(name, content),
        lambda given, name: box(given).files.read(name, format="bytes"),
    ),
    ("snapshot", lambda given: box(given).create_snapshot()),
    ("fork", lambda given: box(given).fork(count=1)),
    ("", lambda given: given["fork"][0].kill()),
    ("suspend", lambda given: box(given).pause()),
    ("resume", lambda given: box(given).connect()),
    ("kill", lambda given: box(given).kill()),
])
