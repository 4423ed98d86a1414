"""mini-swe-agent: `environment_class: offshoot.integrations.minisweagent.OffshootEnvironment`."""

from __future__ import annotations

from typing import Any

from minisweagent.exceptions import Submitted
from minisweagent.utils.serialize import recursive_merge
from pydantic import BaseModel

from ..errors import OffshootError
from ..sandbox import Sandbox

__all__ = ["OffshootEnvironment", "OffshootEnvironmentConfig"]

# What a model prints first when it is done; the rest is its answer.
_DONE = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


class OffshootEnvironmentConfig(BaseModel):
    """What the environment is made with."""

    cwd: str = "/home/user"
    env: dict[str, str] = {}
    timeout: int = 30
    """Seconds for each command."""
    imports: dict[str, str] = {}
    """Folders of the host that are copied in, with where to."""
    network: list[str] = []
    """What may be reached, as `METHODS ORIGIN`."""


class OffshootEnvironment:
    """Runs an agent's commands in a virtual sandbox; each starts from fresh shell state, files stay."""

    def __init__(self, *, config_class: type[OffshootEnvironmentConfig] = OffshootEnvironmentConfig, **kwargs: Any) -> None:
        self.config = config_class(**kwargs)
        self.sandbox = Sandbox(env=self.config.env, imports=self.config.imports, network=self.config.network)

    def execute(self, action: dict[str, Any], cwd: str = "", *, timeout: int | None = None) -> dict[str, Any]:
        """Runs one command: what it printed, its status, and what went wrong outside of it."""
        limit = timeout or self.config.timeout
        script, command = 'exec 2>&1; eval "$1"', action.get("command", "")
        try:
            result = self.sandbox.exec(script, command, cwd=cwd or self.config.cwd, timeout=limit)
        except OffshootError as error:
            written = error.output.stdout if error.output else ""
            return _failed(written, type(error).__name__, f"An error occurred while executing the command: {error}")
        if result.timed_out:
            return _failed(result.stdout, "TimeoutExpired", f"The command was ended after {limit} seconds")
        first, _, rest = result.stdout.lstrip().partition("\n")
        if first.strip() == _DONE and result.exit_code == 0:
            raise Submitted(
                {"role": "exit", "content": rest, "extra": {"exit_status": "Submitted", "submission": rest}}
            )
        return {"output": result.stdout, "returncode": result.exit_code, "exception_info": ""}

    def get_template_vars(self, **kwargs: Any) -> dict[str, Any]:
        """What prompts may name: the configuration and what `uname` says inside."""
        names = ("system", "release", "version", "machine")
        facts = self.sandbox.exec("uname -s; uname -r; uname -v; uname -m").stdout.splitlines()
        return recursive_merge(self.config.model_dump(), dict(zip(names, facts)), kwargs)

    def serialize(self) -> dict[str, Any]:
        """The configuration, for the record of a run."""
        kind = f"{type(self).__module__}.{type(self).__name__}"
        return {"info": {"config": {"environment": self.config.model_dump(mode="json"), "environment_type": kind}}}


def _failed(output: str, kind: str, message: str) -> dict[str, Any]:
    return {
        "output": output,
        "returncode": -1,
        "exception_info": message,
        "extra": {"exception_type": kind, "exception": message},
    }
