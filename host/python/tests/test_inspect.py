"""Inspect AI's own check of a sandbox, as it ships it."""

import inspect

import pytest
import pytest_asyncio
from inspect_ai.util._sandbox import self_check as suite

from offshoot.integrations.inspect import OffshootSandboxEnvironment

LEFT_OUT = {
    "test_exec_as_user": "a sandbox has one user; there is no root inside",
}


@pytest_asyncio.fixture
async def environment():
    made = await OffshootSandboxEnvironment.sample_init("check", None, {})
    yield made["default"]
    await OffshootSandboxEnvironment.sample_cleanup("check", None, made, False)


CHECKS = [
    pytest.param(check, id=name, marks=[pytest.mark.skip(reason=LEFT_OUT[name])] if name in LEFT_OUT else [])
    for name, check in vars(suite).items()
    if name.startswith("test_") and inspect.iscoroutinefunction(check)
]


@pytest.mark.asyncio
@pytest.mark.parametrize("check", CHECKS)
async def test_self_check(check, environment):
    await check(environment)
