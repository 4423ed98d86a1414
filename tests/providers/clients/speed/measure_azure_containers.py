import os
import time
import uuid

from azure.core.credentials import AccessToken
from azure.mgmt.containerinstance import ContainerInstanceManagementClient
from azure.mgmt.containerinstance.models import Container, ContainerGroup, ResourceRequests, ResourceRequirements
from rounds import serve


class Given:
    def get_token(self, *_, **__):
        return AccessToken(os.environ["TOKEN"], int(time.time()) + 3600)


client = ContainerInstanceManagementClient(
    Given(),
    os.environ["AZURE_SUBSCRIPTION_ID"],
    base_url=os.environ["AZURE_MANAGEMENT_URL"],
    credential_scopes=["https://management.azure.com/.default"],
    polling_interval=0,
)
groups = client.container_groups
container = Container(
    name="sandbox",
    image="image",
    command=["/bin/sleep", "infinity"],
    resources=ResourceRequirements(requests=ResourceRequests(cpu=1.0, memory_in_gb=1.5)),
)
wanted = ContainerGroup(location="westus2", containers=[container], os_type="Linux", restart_policy="Never")
place = lambda given: (os.environ["AZURE_RESOURCE_GROUP"], given["create"].name)
make = lambda: groups.begin_create_or_update(os.environ["AZURE_RESOURCE_GROUP"], f"g-{uuid.uuid4()}", wanted)
serve([
    ("create", lambda _: make().result()),
    ("kill", lambda given: groups.begin_delete(*place(given)).result()),
])
