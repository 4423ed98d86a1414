"""The suite of a framework is left out where the framework is not installed."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("inspect_ai") else ["test_inspect.py"]
