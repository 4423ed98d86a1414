import os

from databricks.sdk import WorkspaceClient
from rounds import expect, serve

statements, warehouse = WorkspaceClient().statement_execution, os.environ["DATABRICKS_WAREHOUSE_ID"]
run = lambda: statements.execute_statement(statement="SELECT 1", warehouse_id=warehouse).result.data_array
serve([("exec true", lambda _: expect(run(), [["1"]]))])
