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
is_busy = is_cancelled = False


def cancel(*_):
    # One that was not begun yet ends when it begins.
    global is_cancelled
    is_cancelled = True
    if is_busy:
        raise KeyboardInterrupt


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
    global is_busy, is_cancelled
    names = {"__name__": "__main__"}
    signal.signal(signal.SIGINT, cancel)
    threading.Thread(target=listen, daemon=True).start()
    while True:
        told = io.StringIO()
        answer = {}
        command = commands.get()
        try:
            with contextlib.redirect_stdout(told):
                is_busy = True
                if is_cancelled:
                    raise KeyboardInterrupt
                run(command, names)
            is_busy = False
        except BaseException as error:
            is_busy = False
            answer = {"summary": f"{type(error).__name__}: {error}", "cause": traceback.format_exc()}
        is_cancelled = False
        answer["data"] = told.getvalue().removesuffix("\n")
        print(json.dumps(answer), file=answers, flush=True)


main()
