import os
import time

from azure.containerapps.sandbox import SandboxGroupClient
from azure.core.credentials import AccessToken
from rounds import expect, files, serve


class Given:
    def get_token(self, *_, **__):
        return AccessToken(os.environ["TOKEN"], int(time.time()) + 3600)


fast = {"polling_interval": 0}
group = SandboxGroupClient(
    os.environ["AZURE_SANDBOX_ENDPOINT"],
    Given(),
    subscription_id=os.environ["AZURE_SUBSCRIPTION_ID"],
    resource_group=os.environ["AZURE_RESOURCE_GROUP"],
    sandbox_group=os.environ["AZURE_SANDBOX_GROUP"],
)
box = lambda given: given["create"]
serve([
    ("create", lambda _: group.begin_create_sandbox(**fast).result()),
    ("exec true", lambda given: expect(box(given).exec("true").exit_code, 0)),
    *files(
        lambda given, name, content: box(given).write_file(f"/tmp/{name}", content),
        lambda given, name: box(given).read_file(f"/tmp/{name}"),
    ),
    ("snapshot", lambda given: box(given).begin_create_snapshot(name="one", **fast).result()),
    ("", lambda given: group.begin_delete_snapshot(given["snapshot"].id, **fast).result()),
    ("suspend", lambda given: box(given).begin_stop(**fast).result()),
    ("resume", lambda given: box(given).ensure_running()),
    ("kill", lambda given: box(given).begin_delete(**fast).result()),
])
