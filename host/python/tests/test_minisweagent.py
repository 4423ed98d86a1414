"""mini-swe-agent over a sandbox, with its own agent loop and a model that follows a script."""

import os

os.environ["MSWEA_SILENT_STARTUP"] = "1"

import pytest
from minisweagent.agents.default import DefaultAgent
from minisweagent.exceptions import Submitted
from minisweagent.models.test_models import DeterministicModel, make_output

from offshoot.integrations.minisweagent import OffshootEnvironment


@pytest.fixture(autouse=True)
def nothing_of_the_user(monkeypatch, tmp_path):
    monkeypatch.setenv("MSWEA_GLOBAL_CONFIG_DIR", str(tmp_path))


@pytest.mark.parametrize(
    ("command", "output", "status"),
    [
        ("echo out; echo err >&2; exit 4", "out\nerr\n", 4),
        ("cat missing", "cat: missing: No such file or directory\n", 1),
        ("if true; then echo yes; fi", "yes\n", 0),
    ],
)
def test_a_command(command, output, status):
    found = OffshootEnvironment().execute({"command": command})
    assert (found["output"], found["returncode"], found["exception_info"]) == (output, status, "")


def test_a_command_that_takes_too_long():
    found = OffshootEnvironment(timeout=1).execute({"command": "echo so far; sleep 60"})
    assert (found["output"], found["returncode"]) == ("so far\n", -1)
    assert "1 seconds" in found["exception_info"]


def test_the_end_is_raised():
    with pytest.raises(Submitted) as raised:
        OffshootEnvironment().execute({"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; echo patch"})
    assert raised.value.messages[0]["extra"]["submission"] == "patch\n"


def test_an_agent_runs_to_its_end():
    outputs = [
        make_output("write it", [{"command": "echo fig > answer"}]),
        make_output("send it", [{"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; cat answer"}]),
    ]
    agent = DefaultAgent(
        DeterministicModel(outputs=outputs),
        OffshootEnvironment(),
        system_template="You answer.",
        instance_template="{{task}} on {{system}}",
    )
    assert agent.run("a fruit")["submission"] == "fig\n"
