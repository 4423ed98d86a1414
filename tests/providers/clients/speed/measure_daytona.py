from daytona import CreateSandboxFromSnapshotParams, Daytona, FileUpload
from rounds import expect, files, serve

daytona = Daytona()
box = lambda given: given["create"]
serve([
    ("create", lambda _: daytona.create(CreateSandboxFromSnapshotParams())),
    ("exec true", lambda given: expect(box(given).process.exec("true").exit_code, 0)),
    *files(
        lambda given, name, content: box(given).fs.upload_files([FileUpload(source=content, destination=f"/tmp/{name}")]),
        lambda given, name: box(given).fs.download_file(f"/tmp/{name}"),
    ),
    ("suspend", lambda given: box(given).stop()),
    ("resume", lambda given: box(given).start()),
    ("kill", lambda given: box(given).delete()),
])
