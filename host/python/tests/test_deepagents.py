"""LangChain's own tests of a sandbox."""

import pytest
from langchain_tests.integration_tests import SandboxIntegrationTests

from offshoot.integrations.deepagents import OffshootBackend

pytestmark = [pytest.mark.asyncio, pytest.mark.filterwarnings("ignore:The test .* is marked:pytest.PytestWarning")]


class TestSandbox(SandboxIntegrationTests):
    @pytest.fixture(scope="class")
    def sandbox(self):
        backend = OffshootBackend()
        yield backend
        backend.sandbox.close()
