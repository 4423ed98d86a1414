"""Serves the composed component and asks it, as `run` does: ask.py WASMTIME SERVER_WASM"""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

wasmtime, component = sys.argv[1:]
with socket.create_server(("127.0.0.1", 0)) as free:
    host, port = free.getsockname()
command = [wasmtime, "serve", "--wasi", "cli", "--addr", f"{host}:{port}", component]
server = subprocess.Popen(command, stdout=subprocess.DEVNULL)


def ask(script=None):
    try:
        answer = urllib.request.urlopen(f"http://{host}:{port}/", script)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        print(answer.status, "exit status", answer.headers["exit-status"])
        print(answer.read().decode(), end="")


try:
    # It listens when the component is compiled.
    while server.poll() is None:
        try:
            socket.create_connection((host, port)).close()
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
    ask(b"seq 5 | grep -v 3 | sort -rn | tee note | head -n 2; exit 3")
    ask(b"cat note")
    ask(b"\xff")
    ask()
finally:
    server.terminate()
    server.wait()
