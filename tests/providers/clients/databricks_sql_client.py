# What the connector relies on of statements on a SQL warehouse, by `databricks-sdk` and
# `databricks-sql-connector`.
import os
import time
from urllib.parse import urlsplit

from databricks import sql
from databricks.sdk import WorkspaceClient
from databricks.sdk.errors import BadRequest, NotFound
from databricks.sdk.service.sql import ExecuteStatementRequestOnWaitTimeout, StatementParameterListItem, StatementState

client = WorkspaceClient()
warehouse = os.environ["DATABRICKS_WAREHOUSE_ID"]
statements = client.statement_execution
run = lambda text, **more: statements.execute_statement(statement=text, warehouse_id=warehouse, **more)

assert client.warehouses.get(warehouse).id == warehouse
for wrong, error in [({"warehouse_id": "no-such"}, NotFound), ({"warehouse_id": warehouse, "wait_timeout": "3s"}, BadRequest)]:
    try:
        statements.execute_statement(statement="SELECT 1", **wrong)
        raise AssertionError(wrong)
    except error:
        pass
given = [StatementParameterListItem(name="a", type="STRING", value="given")]
told = run("SELECT :a AS x, NULL AS x, 1", parameters=given, wait_timeout="30s", catalog="main", schema="s")
assert told.status.state == StatementState.SUCCEEDED, told
assert [column.name for column in told.manifest.schema.columns] == ["x", "x", "1"], told
assert told.result.data_array == [["given", None, "1"]], told
many = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 2500) SELECT n FROM t"
told = run(many)
rows, chunk = told.result.data_array, told.result
while chunk.next_chunk_index is not None:
    chunk = statements.get_statement_result_chunk_n(told.statement_id, chunk.next_chunk_index)
    rows += chunk.data_array
assert told.manifest.total_chunk_count == 3 and rows == [[str(n)] for n in range(1, 2501)]
told = run("SELECT * FROM no_such")
assert told.status.state == StatementState.FAILED and "no_such" in told.status.error.message, told
endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t"
told = run(endless, wait_timeout="0s", on_wait_timeout=ExecuteStatementRequestOnWaitTimeout.CONTINUE)
assert told.status.state == StatementState.RUNNING, told
statements.cancel_execution(told.statement_id)
while statements.get_statement(told.statement_id).status.state != StatementState.CANCELED:
    time.sleep(0.05)

place = urlsplit(os.environ["DATABRICKS_HOST"])
options = {"use_sea": True, "use_cloud_fetch": False, "enable_telemetry": False, "catalog": "main", "schema": "s"}
with sql.connect(
    server_hostname=f"http://{place.hostname}",
    _port=place.port,
    http_path=f"/sql/1.0/warehouses/{warehouse}",
    access_token=os.environ["DATABRICKS_TOKEN"],
    **options,
) as connection, connection.cursor() as cursor:
    cursor.execute("SELECT current_catalog() AS c, current_schema() AS s, NULL AS n, 2 AS i")
    assert [tuple(row) for row in cursor.fetchall()] == [("main", "s", None, 2)]
    assert [column[0] for column in cursor.description] == ["c", "s", "n", "i"]
    cursor.execute(many)
    # Of rows that come in place it reads the first chunk alone.
    rows = [row[0] for row in cursor.fetchall()]
    assert rows and rows == list(range(1, 2501))[: len(rows)]
    try:
        cursor.execute("SELECT * FROM no_such")
        raise AssertionError("there is no such table")
    except sql.exc.ServerOperationError as error:
        assert "no_such" in str(error), error
