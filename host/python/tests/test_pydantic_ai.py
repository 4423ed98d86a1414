"""Pydantic AI's own conformance suite of workspaces."""

import pytest
from pydantic_ai.workspaces.conformance import WorkspaceBackendSuite

from offshoot import AsyncSandboxes
from offshoot.integrations.pydantic_ai import OffshootBackend


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Suite(WorkspaceBackendSuite):
    @pytest.fixture
    def can_detect_exit_with_inherited_output_pipes(self):
        # A command lasts as long as somebody holds its output.
        return False


class TestInProcess(Suite):
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


class TestKept(Suite):
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
