"""Code by the Python SDK of the code interpreter."""

import asyncio
import os
import sys
import time

import httpx
from e2b_code_interpreter import (
    AsyncSandbox,
    NotFoundException,
    Sandbox,
    SandboxException,
    TimeoutException,
)


def raises(kind, work):
    try:
        work()
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was expected")


box = Sandbox.create(timeout=120, envs={"A": "of the sandbox", "B": "too"})
run = box.run_code

# State, results, output.
first = run("x = 41\nprint('hi')\nimport sys; print('oh', file=sys.stderr)\nx + 1")
assert (first.text, first.logs.stdout, first.logs.stderr) == ("42", ["hi\n"], ["oh\n"]), first
assert (first.execution_count, first.error) == (1, None)
assert run("x").text == "41"
assert run("'text'").text == "text"
assert run("x;").text is None
assert run("import os; os.environ['A'], os.environ['B']", envs={"A": "of the code"}).text == "('of the code', 'too')"
assert run("os.environ['A'], os.getcwd()").text == "('of the sandbox', '/home/user')"

# As it happens.
heard, when = [], []
done = run(
    "import time\nfor i in range(3):\n    print(i); time.sleep(0.2)\ndisplay({'text/plain': 'd'}, raw=True)\n1/0",
    on_stdout=lambda message: (heard.append(message.line), when.append(time.time())),
    on_result=lambda result: heard.append(result.text),
    on_error=lambda error: heard.append(error.name),
)
assert heard == ["0\n", "1\n", "2\n", "d", "ZeroDivisionError"], heard
assert when[-1] - when[0] > 0.3, when
assert done.error.value == "division by zero" and "<cell" in done.error.traceback

# What values look like.
rich = run("""
class Rich:
    def _repr_html_(self): return "<b>"
    def _repr_png_(self): return b"1"
    def _repr_json_(self): return {"a": 1}
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"e2b/chart": {
            "type": "pie", "title": "T", "elements": [{"label": "a", "angle": 360, "radius": 1}],
        }, "x/y": "z"}
    def __repr__(self): return "Rich"
from IPython.display import Markdown
display(Markdown("*m*"))
Rich()""")
assert [result.is_main_result for result in rich.results] == [False, True]
assert rich.results[0].markdown == "*m*"
main = rich.results[1]
assert (main.text, main.html, main.png, main.json) == ("Rich", "<b>", "MQ==", {"a": 1}), main
assert main.chart.title == "T" and main.chart.elements[0].label == "a" and main.extra == {"x/y": "z"}

# Files and commands of the same sandbox.
box.files.write("data.csv", "a,b\n1,2\n")
assert run("import csv; list(csv.DictReader(open('data.csv')))").text == "[{'a': '1', 'b': '2'}]"
run("open('made', 'w').write('by code')")
assert box.commands.run("cat made").stdout == "by code"
assert run("!cat made").logs.stdout == ["by code"]

# Contexts.
usual = box.list_code_contexts()
assert [(context.language, context.cwd) for context in usual] == [("python", "/home/user")], usual
other = box.create_code_context(cwd="/tmp", language="python")
assert (other.language, other.cwd) == ("python", "/tmp")
assert run("import os; os.getcwd()", context=other).text == "/tmp"
assert run("x", context=other).error.name == "NameError"
run("x = 'other'", context=other)
assert (run("x", context=other).text, run("x").text) == ("other", "41")
assert {context.id for context in box.list_code_contexts()} == {usual[0].id, other.id}
box.restart_code_context(other)
assert run("x", context=other).error.name == "NameError"
box.remove_code_context(other)
raises(NotFoundException, lambda: run("1", context=other))
raises(NotFoundException, lambda: box.restart_code_context("no-such"))
raises(SandboxException, lambda: box.create_code_context(cwd="/nowhere"))

# Bash and JavaScript keep their state, too.
assert run("cd /tmp; n=1; pwd", language="bash").logs.stdout == ["/tmp\n"]
assert run("echo $n; exit 3", language="bash").error.value == "3"
run("const shout = word => word.toUpperCase() + '!'", language="javascript")
shouted = run("console.log(1); shout(await Promise.resolve('late'))", language="js")
assert (shouted.text, shouted.logs.stdout) == ("LATE!", ["1\n"])
assert run("null.x", language="javascript").error.name == "TypeError"
assert "r" in str(raises(SandboxException, lambda: run("1", language="r")))

# Time: the code is interrupted, and what it had stays.
raises(TimeoutException, lambda: run("while True: pass", timeout=1))
assert run("x").text == "41"
lost = run("os._exit(3)")
assert lost.error.name == "UnexpectedEndOfExecution" and "restarted" in lost.error.value, lost
assert run("x").error.name == "NameError"

# A pause and a fork keep files and contexts, also the one that is meant where none is named.
kept = box.create_code_context()
run("x = 1", context=kept)
run("usual = 5")
opened = box.create_code_context()
run("f = open('/tmp/left', 'w')", context=opened)
(fork,) = box.fork()
run("x = 2", context=kept)
assert fork.run_code("x", context=kept).text == "1"
assert fork.run_code("usual").text == "5"
assert fork.run_code("open('made').read()").text == "by code"
fork.kill()
box.pause()
box = box.connect()
assert box.run_code("x", context=kept).text == "2"
assert box.run_code("usual").text == "5"
assert box.run_code("open('made').read()").text == "by code"
# What was open stood against it; the interpreter is restarted.
lost = box.run_code("f", context=opened)
assert lost.error.name == "UnexpectedEndOfExecution" and "/tmp/left" in lost.error.value, lost
assert box.run_code("f", context=opened).error.name == "NameError"

# Whoever has no token is refused.
headers = {"E2b-Sandbox-Id": box.sandbox_id, "E2b-Sandbox-Port": "49999"}
url = box._jupyter_url
for token in ({}, {"E2B-Traffic-Access-Token": "wrong"}, {"X-Access-Token": "wrong"}):
    assert httpx.post(f"{url}/execute", headers=headers | token, json={"code": "1"}).status_code == 401
    assert httpx.get(f"{url}/contexts", headers=headers | token).status_code == 401
good = headers | {"E2B-Traffic-Access-Token": box.traffic_access_token}
assert httpx.get(f"{url}/health", headers=good).status_code == 200
hosted = {"Host": f"49999-{box.sandbox_id}.example.test", "X-Access-Token": box._envd_access_token}
assert httpx.get(f"{url}/health", headers=hosted).status_code == 200
box.kill()


async def asynchronous():
    box = await AsyncSandbox.create(timeout=120)
    heard = []
    done = await box.run_code("print(1)\n2", on_stdout=lambda message: heard.append(message.line))
    assert (done.text, heard) == ("2", ["1\n"])
    contexts = await asyncio.gather(*(box.create_code_context() for _ in range(3)))
    codes = [box.run_code(f"import time; time.sleep(0.2); x = {n}; x", context=context) for n, context in enumerate(contexts)]
    assert [done.text for done in await asyncio.gather(*codes)] == ["0", "1", "2"]
    await box.kill()


asyncio.run(asynchronous())
# At the interpreter's end a thread of the SDK's native transport can abort the process.
sys.stdout.flush()
os._exit(0)
