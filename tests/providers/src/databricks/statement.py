# A statement of SQL: {"database", "statement", "catalog", "schema", "parameters"} in, {"columns", "rows"} or {"error"} out.
import json
import sqlite3
import sys

asked = json.load(sys.stdin)
database = sqlite3.connect(asked["database"], isolation_level=None, timeout=30)
for name in ("catalog", "schema"):
    database.create_function(f"current_{name}", 0, lambda value=asked[name]: value)
TYPES = {int: "LONG", float: "DOUBLE", str: "STRING"}


def kind(column, rows):
    return next((TYPES[type(row[column])] for row in rows if row[column] is not None), "VOID")


try:
    cursor = database.execute(asked["statement"], asked["parameters"])
    names = [column[0] for column in cursor.description or []]
    rows = cursor.fetchall()
    columns = [{"name": name, "type_name": kind(at, rows), "position": at} for at, name in enumerate(names)]
    text = lambda value: None if value is None else str(value)
    answer = {"columns": columns, "rows": [[text(value) for value in row] for row in rows]}
except sqlite3.Error as error:
    answer = {"error": str(error)}
json.dump(answer, sys.stdout)
