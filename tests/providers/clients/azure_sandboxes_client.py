# What the connector relies on of the service, by `azure-containerapps-sandbox`.
import os
import time

from azure.containerapps.sandbox import SandboxGroupClient
from azure.core.credentials import AccessToken
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError


class Given:
    def get_token(self, *scopes, **_):
        assert scopes == ("https://dynamicsessions.io/.default",), scopes
        return AccessToken(os.environ["TOKEN"], int(time.time()) + 3600)


fast = {"polling_interval": 0}
group = SandboxGroupClient(
    os.environ["AZURE_SANDBOX_ENDPOINT"],
    Given(),
    subscription_id=os.environ["AZURE_SUBSCRIPTION_ID"],
    resource_group=os.environ["AZURE_RESOURCE_GROUP"],
    sandbox_group=os.environ["AZURE_SANDBOX_GROUP"],
)
box = group.begin_create_sandbox(environment={"KEPT": "a b"}, labels={"task": "1"}, **fast).result()
told = box.get()
assert (told.state, told.labels, told.sources_ref.disk_image.name) == ("Running", {"task": "1"}, "ubuntu"), told
ran = box.exec('echo "$KEPT"; echo err >&2; exit 3', working_directory="/tmp")
assert (ran.exit_code, ran.stdout, ran.stderr) == (3, "a b\n", "err\n"), ran
content = bytes(range(256))
box.write_file("/tmp/deep/a b.bin", content)
assert box.read_file("/tmp/deep/a b.bin") == content
assert box.stat_file("/tmp/deep/a b.bin").size == 256
box.mkdir("/tmp/deep/made")
listed = {one.name: one.is_directory for one in box.list_files("/tmp/deep").entries}
assert listed == {"a b.bin": False, "made": True}, listed
box.delete_file("/tmp/deep/made", recursive=True)
snapshot = box.begin_create_snapshot(name="one", **fast).result()
assert (snapshot.labels, snapshot.sandbox_id) == ({"name": "one"}, box.sandbox_id), snapshot
box.exec("rm -r /tmp/deep")
branch = group.begin_create_sandbox(snapshot_id=snapshot.id, **fast).result()
ran = branch.exec('echo "$KEPT"; wc -c < "/tmp/deep/a b.bin"')
assert ran.stdout.split() == ["a", "b", "256"], ran
box.begin_stop(**fast).result()
assert box.get().state_details.stopped_reason == "UserStopped"
try:
    box.read_file("/tmp/x")
    raise AssertionError("a sandbox that sleeps was read")
except HttpResponseError as error:
    assert error.status_code == 409, error
box.ensure_running()
assert box.set_egress_default("Deny").default_action == "Deny"
assert sorted(one.id for one in group.list_sandboxes()) == sorted([box.sandbox_id, branch.sandbox_id])
group.begin_delete_snapshot(snapshot.id, **fast).result()
for one in (box, branch):
    one.begin_delete(**fast).result()
try:
    box.get()
    raise AssertionError("a sandbox that was deleted is there")
except ResourceNotFoundError:
    pass
