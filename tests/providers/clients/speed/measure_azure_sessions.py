import io
import os
import uuid

from langchain_azure_dynamic_sessions import SessionsBashTool
from rounds import expect, files, serve


def begin(_):
    tool = SessionsBashTool(
        pool_management_endpoint=os.environ["POOL"],
        access_token_provider=lambda: os.environ["TOKEN"],
        session_id=str(uuid.uuid4()),
    )
    # A session begins with what is first asked of it.
    expect(tool.execute("true")["status"], "0")
    return tool


tool = lambda given: given["create"]
serve([
    ("create", begin),
    ("exec true", lambda given: expect(tool(given).execute("true")["status"], "0")),
    *files(
        lambda given, name, content: tool(given).upload_file(data=io.BytesIO(content), remote_file_path=name),
        lambda given, name: tool(given).download_file(remote_file_path=name).read(),
    ),
])
