import os

from databricks.sdk import WorkspaceClient
from databricks.sdk.service.compute import Language
from rounds import expect, serve

commands, cluster = WorkspaceClient().command_execution, os.environ["DATABRICKS_CLUSTER_ID"]
WorkspaceClient().clusters.ensure_cluster_is_running(cluster)
true = "import subprocess\nprint(subprocess.run(['bash', '-c', 'true']).returncode)"


def run(context):
    ran = commands.execute_and_wait(command=true, language=Language.PYTHON, cluster_id=cluster, context_id=context)
    expect(ran.results.data, "0")


serve([
    ("create", lambda _: commands.create_and_wait(cluster_id=cluster, language=Language.PYTHON).id),
    ("exec true", lambda given: run(given["create"])),
    ("kill", lambda given: commands.destroy(cluster, given["create"])),
])
