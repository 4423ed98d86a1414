import os
import time

from azure.ai.projects import AIProjectClient
from azure.ai.projects.models import VersionRefIndicator
from azure.core.credentials import AccessToken
from azure.core.rest import HttpRequest
from rounds import expect, files, serve


class Given:
    def get_token(self, *_, **__):
        return AccessToken(os.environ["TOKEN"], int(time.time()) + 3600)


endpoint, name = os.environ["FOUNDRY_PROJECT_ENDPOINT"], os.environ["FOUNDRY_AGENT_NAME"]
client = AIProjectClient(endpoint, Given())
agents = client.agents
url = f"{endpoint}/agents/{name}/endpoint/protocols/invocations"


def invoke(id):
    query = {"api-version": "v1", "agent_session_id": id}
    answer = client.send_request(HttpRequest("POST", url, params=query, json={"script": "true"}))
    expect(answer.json()["exit_code"], 0)


id = lambda given: given["create"].agent_session_id
serve([
    ("create", lambda _: agents.create_session(name, version_indicator=VersionRefIndicator(agent_version="1"))),
    ("exec true", lambda given: invoke(id(given))),
    *files(
        lambda given, path, content: agents.upload_session_file(name, id(given), content=content, path=path),
        lambda given, path: b"".join(agents.download_session_file(name, id(given), path=path)),
    ),
    ("suspend", lambda given: agents.stop_session(name, id(given))),
    # A session that sleeps wakes with what is asked of it.
    ("resume", lambda given: invoke(id(given))),
    ("kill", lambda given: agents.delete_session(name, id(given))),
])
