"""The suite of a framework is left out where the framework is not installed."""

import importlib.util

FRAMEWORKS = {
    "agents": "test_openai_agents.py",
    "deepagents": "test_deepagents.py",
    "inspect_ai": "test_inspect.py",
    "minisweagent": "test_minisweagent.py",
    "pydantic_ai": "test_pydantic_ai.py",
}

collect_ignore = [test for name, test in FRAMEWORKS.items() if importlib.util.find_spec(name) is None]
