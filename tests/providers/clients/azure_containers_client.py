# What the connector relies on of the service, by `azure-mgmt-containerinstance`, and of its terminals, by
# `websocket-client`.
import os
import ssl
import time

import websocket
from azure.core.credentials import AccessToken
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError
from azure.mgmt.containerinstance import ContainerInstanceManagementClient
from azure.mgmt.containerinstance.models import (
    Container,
    ContainerExecRequest,
    ContainerExecRequestTerminalSize,
    ContainerGroup,
    EnvironmentVariable,
    ResourceRequests,
    ResourceRequirements,
)


class Given:
    def get_token(self, *scopes, **_):
        return AccessToken(os.environ["TOKEN"], int(time.time()) + 3600)


client = ContainerInstanceManagementClient(
    Given(),
    os.environ["AZURE_SUBSCRIPTION_ID"],
    base_url=os.environ["AZURE_MANAGEMENT_URL"],
    credential_scopes=["https://management.azure.com/.default"],
    polling_interval=0,
)
place = (os.environ["AZURE_RESOURCE_GROUP"], "group-1")
container = Container(
    name="sandbox",
    image="image",
    command=["/bin/sleep", "infinity"],
    environment_variables=[EnvironmentVariable(name="KEPT", secure_value="a b")],
    resources=ResourceRequirements(requests=ResourceRequests(cpu=1.0, memory_in_gb=1.5)),
)
wanted = ContainerGroup(
    location="westus2", containers=[container], os_type="Linux", restart_policy="Never", tags={"task": "1"}
)
made = client.container_groups.begin_create_or_update(*place, wanted).result()
assert (made.provisioning_state, made.instance_view.state, made.tags) == ("Succeeded", "Running", {"task": "1"}), made
assert made.containers[0].environment_variables[0].secure_value is None


def terminal(program):
    size = ContainerExecRequestTerminalSize(rows=24, cols=80)
    request = ContainerExecRequest(command=program, terminal_size=size)
    return client.containers.execute_command(*place, "sandbox", request)


def opened(told, password):
    trust = {"ca_certs": os.environ["REQUESTS_CA_BUNDLE"], "cert_reqs": ssl.CERT_REQUIRED}
    socket = websocket.create_connection(told.web_socket_uri, sslopt=trust, timeout=30)
    socket.send(password)
    return socket


def heard(socket, wanted):
    text = ""
    while wanted not in text:
        piece = socket.recv()
        assert piece, text
        text += piece
    return text


told = terminal("/bin/bash")
assert told.web_socket_uri.startswith("wss://"), told
socket = opened(told, told.password)
socket.send('echo "$KEPT" said; exit\n')
text = heard(socket, "a b said\r\n")
assert 'echo "$KEPT" said; exit\r\n' in text, text
assert opened(terminal("/bin/bash"), "wrong").recv() == ""
try:
    terminal("/bin/echo one")
    raise AssertionError("a program took arguments")
except HttpResponseError as error:
    assert error.status_code == 400, error
client.container_groups.begin_delete(*place).result()
try:
    client.container_groups.get(*place)
    raise AssertionError("a group that was deleted is there")
except ResourceNotFoundError:
    pass
