# What the connector relies on of the service, by `langchain-azure-dynamic-sessions`.
import io
import os
import time

from langchain_azure_dynamic_sessions import SessionsBashTool


def tool(session):
    return SessionsBashTool(
        pool_management_endpoint=os.environ["POOL"],
        access_token_provider=lambda: os.environ["TOKEN"],
        session_id=session,
    )


box = tool("one")
ran = box.execute("echo out; echo err >&2; exit 3")
assert (ran["status"], ran["result"]["stdout"], ran["result"]["stderr"]) == ("3", "out\n", "err\n"), ran
content = bytes(range(256))
put = box.upload_file(data=io.BytesIO(content), remote_file_path="a b.bin")
assert (put.filename, put.size_in_bytes) == ("a b.bin", 256), put
assert [(one.filename, one.size_in_bytes) for one in box.list_files()] == [("a b.bin", 256)]
assert box.download_file(remote_file_path="a b.bin").read() == content
assert box.execute("wc -c < '/mnt/data/a b.bin'")["result"]["stdout"].strip() == "256"
box.close()
# The client ends a session in the background; the identifier then names a new one.
again = tool("one")
while again.list_files():
    time.sleep(0.05)
