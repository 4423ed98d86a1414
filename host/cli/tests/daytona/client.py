"""What the connector relies on, by Daytona's own client."""

from daytona import CreateSandboxFromSnapshotParams, Daytona, DaytonaError, FileUpload


def raises(work):
    try:
        work()
    except DaytonaError as error:
        return error
    raise AssertionError("an error was expected")


daytona = Daytona()
box = daytona.create(CreateSandboxFromSnapshotParams(env_vars={"KEPT": "a b"}, labels={"l": "x"}))
assert box.labels["l"] == "x" and box.network_block_all is False
home = box.get_work_dir()
every_byte = bytes(range(256)) * 300

# Commands: one string for both streams, the status, the directory, the variables, the time.
ran = box.process.exec("echo out; echo err >&2; exit 3")
assert (ran.exit_code, ran.result) == (3, "out\nerr\n"), ran
ran = box.process.exec('pwd; echo "$KEPT $GIVEN"', cwd="/tmp", env={"GIVEN": "now"})
assert ran.result == "/tmp\na b now\n", ran
assert box.process.exec("true", cwd="/no/such").exit_code == -1
raises(lambda: box.process.exec("sleep 30", timeout=1))

# Files.
name = f"{home}/made on/the way/b\u00fcte"
box.fs.upload_files([FileUpload(source=every_byte, destination=name), FileUpload(source=b"", destination="/tmp/none")])
assert box.fs.download_file(name) == every_byte
raises(lambda: box.fs.download_file("/no/such"))
info = box.fs.get_file_info(name)
assert (info.is_dir, info.size, info.mode[0]) == (False, len(every_byte), "-"), info
int(info.permissions, 8)
assert info.modified_at.endswith("Z")
box.fs.create_folder(f"{home}/folder", "755")
assert {"folder", "made on"} <= {entry.name for entry in box.fs.list_files(home)}
box.fs.move_files(name, f"{home}/folder/moved")
raises(lambda: box.fs.move_files("/tmp/none", f"{home}/folder/moved"))
raises(lambda: box.fs.delete_file(f"{home}/folder"))
box.fs.delete_file(f"{home}/folder", recursive=True)
assert raises(lambda: box.fs.get_file_info(f"{home}/folder")).status_code == 404
# As the connector reads: one file, as it is.
assert bytes(box.fs._api_client.download_file("/tmp/none")) == b""

# Life.
box.stop()
assert daytona.get(box.id).state == "stopped"
box.start()
assert box.process.exec("echo again").result == "again\n"
box.delete()
raises(lambda: daytona.get(box.id))
