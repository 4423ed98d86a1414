# What the connector relies on of the service, by `azure-ai-projects`.
import json
import os
import time

from azure.ai.projects import AIProjectClient
from azure.ai.projects.models import HostedAgentDefinition, VersionRefIndicator
from azure.core.credentials import AccessToken
from azure.core.exceptions import ResourceExistsError, ResourceNotFoundError
from azure.core.rest import HttpRequest


class Given:
    def get_token(self, *scopes, **_):
        assert scopes == ("https://ai.azure.com/.default",), scopes
        return AccessToken(os.environ["TOKEN"], int(time.time()) + 3600)


endpoint, name = os.environ["FOUNDRY_PROJECT_ENDPOINT"], os.environ["FOUNDRY_AGENT_NAME"]
client = AIProjectClient(endpoint, Given())
agents = client.agents

# What `offshoot build` writes has the client's own type.
given = json.loads(os.environ["DEFINITION"])
definition = HostedAgentDefinition(given)
assert (definition.kind, definition.cpu, definition.memory) == ("hosted", "1", "2Gi"), definition
assert definition.container_configuration.image == "registry.example/boxes:2"
assert [(one.protocol, one.version) for one in definition.protocol_versions] == [("invocations", "1.0.0")]
assert set(given) <= set(HostedAgentDefinition._attr_to_rest_field), given
made = agents.create_version(name, definition=definition)
assert (made.version, made.status) == ("2", "active"), made
assert made.definition.environment_variables == {"API_KEY": "${{connections.example.credentials.key}}"}
assert agents.get(name).versions.latest.version == "2"
assert agents.get_version(name, "2").definition.as_dict() == given


def session(version="2", **more):
    return agents.create_session(name, version_indicator=VersionRefIndicator(agent_version=version), **more)


def invoke(body, **query):
    query["api-version"] = "v1"
    url = f"{endpoint}/agents/{name}/endpoint/protocols/invocations"
    headers = {"x-agent-invocation-id": "mine"}
    return client.send_request(HttpRequest("POST", url, params=query, json=body, headers=headers))


def run(script, id, **more):
    answer = invoke({"script": script, **more}, agent_session_id=id)
    assert answer.status_code == 200, answer.text()
    assert (answer.headers["x-agent-session-id"], answer.headers["x-agent-invocation-id"]) == (id, "mine")
    return answer.json()


one, two = session(), session(agent_session_id="given.id")
assert (one.status, two.agent_session_id, one.version_indicator.agent_version) == ("active", "given.id", "2")
ids = {one.agent_session_id, two.agent_session_id}
assert {each.agent_session_id for each in agents.list_sessions(name)} == ids
id = one.agent_session_id
ran = run('echo "$1 $A"; echo err >&2; cat > file; exit 3', id, arguments=["out"], environment={"A": "b"}, stdin="kept\n")
assert (ran["exit_code"], ran["stdout"], ran["stderr"]) == (3, "out b\n", "err\n"), ran
assert run("cat file", id)["stdout"] == "kept\n"
assert run("cat file", "given.id")["exit_code"] == 1
assert run("sleep 60", id, timeout_ms=100)["timed_out"]

# The files of the session are in its sandbox.
content = bytes(range(256))
put = agents.upload_session_file(name, id, content=content, path="files/a b.bin")
assert (put.path, put.bytes_written) == ("files/a b.bin", 256), put
assert b"".join(agents.download_session_file(name, id, path="files/a b.bin")) == content
listed = list(agents.list_session_files(name, id, path="files"))
assert [(each.name, each.size, each.is_directory) for each in listed] == [("a b.bin", 256, False)], listed
assert run("wc -c < '/files/a b.bin'; cp '/files/a b.bin' mine", id)["stdout"].strip() == "256"
agents.delete_session_file(name, id, path="files/a b.bin")
assert run("ls /files; wc -c < mine", id)["stdout"].strip() == "256"

# A session that was stopped goes on with what it had.
agents.stop_session(name, id)
assert agents.get_session(name, id).status == "idle"
assert run("cat file", id, existing=True)["stdout"] == "kept\n"
assert agents.get_session(name, id).status == "active"

# The token, and what else the container has, is in no sandbox.
assert os.environ["TOKEN"] not in run("env; cat /proc/self/environ; ls -aR /", id)["stdout"]

# What has no meaning is told by whom it was given.
wrong = [
    (invoke({"script": 1}, agent_session_id=id), 400, "INVALID"),
    (invoke({"script": "true", "scirpt": "true"}, agent_session_id=id), 400, "INVALID"),
    (invoke({"script": "%", "encoding": "base64"}, agent_session_id=id), 400, "INVALID"),
    (invoke({"script": "true", "cwd": "/no/such"}, agent_session_id=id), 404, "NOT_FOUND"),
    (invoke({"script": "true"}, agent_session_id="no-such"), 404, "not_found"),
    (invoke({"script": "true", "existing": True}), 410, "SANDBOX_UNAVAILABLE"),
]
for answer, status, code in wrong:
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text()
for call, error in [
    (lambda: session(version="7"), ResourceNotFoundError),
    (lambda: session(agent_session_id="given.id"), ResourceExistsError),
    (lambda: agents.get_session(name, "no-such"), ResourceNotFoundError),
    (lambda: next(agents.download_session_file(name, id, path="no-such")), ResourceNotFoundError),
]:
    try:
        call()
        raise AssertionError(error)
    except error:
        pass

for each in list(agents.list_sessions(name)):
    agents.delete_session(name, each.agent_session_id)
try:
    agents.get_session(name, id)
    raise AssertionError("a session that was deleted is there")
except ResourceNotFoundError:
    pass
