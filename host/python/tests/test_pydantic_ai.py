"""Pydantic AI's own conformance suite of workspaces."""

import pytest
from pydantic_ai.workspaces.conformance import WorkspaceBackendSuite

from offshoot import AsyncSandboxes
from offshoot.integrations.pydantic_ai import OffshootBackend


@pytest.fixture
def anyio_backend():
    return "asyncio"


class TestInProcess(WorkspaceBackendSuite):
    @pytest.fixture
    def backend(self):
        return OffshootBackend()

    @pytest.fixture
    def fresh_backend(self):
        return OffshootBackend

    @pytest.fixture
    def attach_backend(self):
        return OffshootBackend

    @pytest.fixture
    def destroy_environment(self):
        return OffshootBackend.destroy


class TestKept(WorkspaceBackendSuite):
    @pytest.fixture
    def store(self, tmp_path):
        return AsyncSandboxes(tmp_path)

    @pytest.fixture
    def backend(self, store):
        return OffshootBackend(sandboxes=store)

    @pytest.fixture
    def fresh_backend(self, store):
        return lambda: OffshootBackend(sandboxes=store)

    @pytest.fixture
    def attach_backend(self, store):
        return lambda ref: OffshootBackend(ref, sandboxes=store)

    @pytest.fixture
    def destroy_environment(self):
        return OffshootBackend.destroy
