# A context's Python: a command is a line of JSON, and so is what it did. At the end of its input all that was
# started here ends.
import ast
import contextlib
import io
import json
import os
import queue
import signal
import sys
import threading
import traceback

os.setsid()
answers = os.fdopen(os.dup(1), "w")
for descriptor in (1, 2):
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
commands = queue.Queue()


def end():
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if int(name) != os.getpid() and os.getsid(int(name)) == os.getpid():
                os.kill(int(name), signal.SIGKILL)
    os._exit(0)


def listen():
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        if asked.get("cancel"):
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        else:
            commands.put(asked["command"])
    end()


def run(command, names):
    tree = ast.parse(command)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<command>", "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "<command>", "eval"), names)
        if value is not None:
            print(repr(value))


def main():
    names = {"__name__": "__main__"}
    threading.Thread(target=listen, daemon=True).start()
    while True:
        told = io.StringIO()
        answer = {}
        try:
            command = commands.get()
            with contextlib.redirect_stdout(told):
                run(command, names)
        except BaseException as error:
            answer = {"summary": f"{type(error).__name__}: {error}", "cause": traceback.format_exc()}
        answer["data"] = told.getvalue().removesuffix("\n")
        print(json.dumps(answer), file=answers, flush=True)


main()
