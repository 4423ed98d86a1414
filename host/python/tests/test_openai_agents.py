"""The OpenAI Agents SDK over a sandbox: a whole agent by a scripted model, and the operations of a session."""

import io
import json
from pathlib import Path

import pytest
from agents import Runner
from agents.run_config import RunConfig, SandboxRunConfig
from agents.sandbox.entries import File
from agents.sandbox.errors import ExecTimeoutError, WorkspaceReadNotFoundError
from agents.sandbox.manifest import Manifest
from agents.sandbox.sandbox_agent import SandboxAgent
from agents.sandbox.snapshot import LocalSnapshot
from agents.testing import ScriptedModel
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from offshoot.integrations.openai_agents import OffshootSandboxClient

pytestmark = pytest.mark.asyncio


def call(number: int, command: str) -> list:
    arguments = json.dumps({"cmd": command})
    return [
        ResponseFunctionToolCall(
            id=f"fc{number}", call_id=f"call{number}", name="exec_command", arguments=arguments, type="function_call"
        )
    ]


def answer(text: str) -> list:
    content = [ResponseOutputText(text=text, type="output_text", annotations=[])]
    return [
        ResponseOutputMessage(id="m", role="assistant", status="completed", type="message", content=content)
    ]


async def test_an_agent_works_in_a_sandbox():
    model = ScriptedModel([call(1, "sort words | head -n 1 > first; cat first"), call(2, "ls"), answer("fig")])
    agent = SandboxAgent(
        name="clerk",
        model=model,
        default_manifest=Manifest(entries={"words": File(content=b"pear\nfig\n")}),
    )
    result = await Runner.run(
        agent, "which word is first?", run_config=RunConfig(sandbox=SandboxRunConfig(client=OffshootSandboxClient()))
    )
    assert result.final_output == "fig"
    outputs = [item.output for item in result.new_items if item.type == "tool_call_output_item"]
    assert "fig" in outputs[0] and "first" in outputs[1] and "words" in outputs[1]


async def test_the_operations_of_a_session(tmp_path):
    client = OffshootSandboxClient()
    snapshot = LocalSnapshot(id="kept", base_path=tmp_path)
    session = await client.create(snapshot=snapshot, manifest=Manifest())
    await session.start()
    assert await session.running()
    result = await session.exec("printf '%s' \"$PWD\"; echo no >&2; exit 3")
    assert (result.stdout, result.stderr, result.exit_code) == (b"/workspace", b"no\n", 3)
    await session.mkdir("src/deep", parents=True)
    await session.write(Path("src/deep/a.bin"), io.BytesIO(bytes(range(256))))
    assert (await session.read(Path("src/deep/a.bin"))).read() == bytes(range(256))
    await session.exec("mv src/deep/a.bin src/b.bin")
    assert [Path(entry.path).name for entry in await session.ls("src")] != []
    await session.rm("src/deep", recursive=True)
    with pytest.raises(WorkspaceReadNotFoundError):
        await session.read(Path("src/deep/a.bin"))
    with pytest.raises(ExecTimeoutError):
        await session.exec("sleep 60", timeout=0.2)

    state = client.deserialize_session_state(json.loads(session.state.model_dump_json()))
    await session.stop()
    await session.shutdown()
    await client.delete(session)
    resumed = await client.resume(state)
    await resumed.start()
    assert (await resumed.read(Path("src/b.bin"))).read() == bytes(range(256))
    await resumed.shutdown()
