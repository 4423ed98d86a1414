# What the connector relies on of clusters and their execution contexts, by `databricks-sdk`.
import os
import time

from databricks.sdk import WorkspaceClient
from databricks.sdk.errors import DatabricksError, ResourceDoesNotExist
from databricks.sdk.service.compute import CommandStatus, Language, ResultType

client = WorkspaceClient()
cluster = os.environ["DATABRICKS_CLUSTER_ID"]
try:
    client.clusters.get("no-such")
    raise AssertionError("there is no such cluster")
except ResourceDoesNotExist:
    pass
assert client.clusters.get(cluster).state.value == "TERMINATED"
client.clusters.ensure_cluster_is_running(cluster)

context = client.command_execution.create_and_wait(cluster_id=cluster, language=Language.PYTHON).id
place = {"cluster_id": cluster, "context_id": context}


def run(command):
    return client.command_execution.execute_and_wait(command=command, language=Language.PYTHON, **place)


ran = run("kept = 20\nprint('out')\nkept + 1")
assert (ran.status, ran.results.result_type, ran.results.data) == (CommandStatus.FINISHED, ResultType.TEXT, "out\n21"), ran
ran = run("import subprocess\nprint(subprocess.run(['sh', '-c', 'echo $0', 'x'], capture_output=True).stdout, kept)")
assert ran.results.data == "b'x\\n' 20", ran
ran = run("raise ValueError('no')")
assert (ran.status, ran.results.result_type) == (CommandStatus.FINISHED, ResultType.ERROR), ran
assert "ValueError: no" in ran.results.summary and "Traceback" in ran.results.cause, ran
ran = run("print('x' * 3_000_000)")
assert ran.results.truncated and 0 < len(ran.results.data) < 3_000_000

slow = client.command_execution.execute(command="import time; time.sleep(600)", language=Language.PYTHON, **place)
after = client.command_execution.execute(command="print('after')", language=Language.PYTHON, **place)
status = lambda of: client.command_execution.command_status(cluster, context, of.command_id).status
while status(slow) != CommandStatus.RUNNING:
    time.sleep(0.05)
assert status(after) == CommandStatus.QUEUED
cancelled = client.command_execution.cancel_and_wait(command_id=slow.command_id, **place)
assert cancelled.status == CommandStatus.CANCELLED, cancelled
assert after.result().results.data == "after"
client.command_execution.destroy(cluster, context)
try:
    client.command_execution.context_status(cluster, context)
    raise AssertionError("the context is gone")
except DatabricksError as error:
    assert "ContextNotFound" in str(error), error
