# Whether our server answers in the shape of a hosted agent's container: the same requests, to it and to Microsoft's
# own host from `azure-ai-agentserver-invocations`.
import asyncio
import os
import urllib.error
import urllib.request

from azure.ai.agentserver.invocations import InvocationAgentServerHost
from hypercorn.asyncio import serve
from hypercorn.config import Config
from starlette.responses import JSONResponse

host = InvocationAgentServerHost(configure_observability=None, access_log=None)


@host.invoke_handler
async def handle(request):
    return JSONResponse(await request.json())


def ask(url, method, path, headers={}, body=None):
    request = urllib.request.Request(url + path, body, headers, method=method)
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        answer = error
    given = {name: answer.headers[name] for name in ("x-agent-session-id", "x-agent-invocation-id")}
    # What was generated is there, and another each time.
    known = lambda value: value and (value in headers.values() or value in path)
    shown = {name: value if known(value) else bool(value) for name, value in given.items()}
    failed = b'"error"' in answer.read() if answer.status >= 400 and method == "POST" else None
    return answer.status, answer.headers["content-type"].split(";")[0] if answer.status == 200 else None, shown, failed


def asked(url):
    mine, other = {"x-agent-invocation-id": "mine"}, {"x-agent-invocation-id": "b\xe4d one"}
    script = b'{"script": "true"}'
    return [
        ask(url, "GET", "/readiness"),
        ask(url, "POST", "/invocations?agent_session_id=one", mine, script),
        ask(url, "POST", "/invocations?agent_session_id=one", body=script),
        ask(url, "POST", "/invocations?agent_session_id=one", other, script),
        ask(url, "POST", "/invocations", mine, script),
        ask(url, "GET", "/no/such"),
    ]


async def listening(port):
    while True:
        try:
            return (await asyncio.open_connection("127.0.0.1", port))[1].close()
        except ConnectionRefusedError:
            await asyncio.sleep(0.05)


async def main():
    config, ended = Config(), asyncio.Event()
    config.bind, config.accesslog, config.errorlog = ["127.0.0.1:0"], None, None
    sockets = config.create_sockets()
    port = sockets.insecure_sockets[0].getsockname()[1]
    config.bind = [f"fd://{sockets.insecure_sockets[0].fileno()}"]
    serving = asyncio.create_task(serve(host, config, shutdown_trigger=ended.wait))
    await listening(port)
    theirs = await asyncio.to_thread(asked, f"http://127.0.0.1:{port}")
    ours = await asyncio.to_thread(asked, os.environ["CONTAINER"])
    assert ours == theirs, (ours, theirs)
    assert ours[1][2] == {"x-agent-session-id": "one", "x-agent-invocation-id": "mine"}, ours
    ended.set()
    await serving


asyncio.run(main())
