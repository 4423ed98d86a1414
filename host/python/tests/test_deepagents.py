"""LangChain's own tests of a sandbox."""

import pytest
from langchain_tests.integration_tests import SandboxIntegrationTests

from offshoot.integrations.deepagents import OffshootBackend

pytestmark = [pytest.mark.asyncio, pytest.mark.filterwarnings("ignore:The test .* is marked:pytest.PytestWarning")]
no_python = pytest.mark.xfail(reason="the command under test is Python's, which the package leaves out", strict=True)


class TestSandbox(SandboxIntegrationTests):
    @pytest.fixture(scope="class")
    def sandbox(self):
        backend = OffshootBackend()
        yield backend
        backend.sandbox.close()

    @no_python
    def test_execute_large_stdout_payload(self, sandbox_backend):
        super().test_execute_large_stdout_payload(sandbox_backend)

    @no_python
    async def test_aexecute_large_stdout_payload(self, sandbox_backend):
        await super().test_aexecute_large_stdout_payload(sandbox_backend)
