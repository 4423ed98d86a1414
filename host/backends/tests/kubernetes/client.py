"""The API server of the tests, as the client that Kubernetes publishes for Python sees it."""

import sys
import threading

from kubernetes import client, config, watch
from kubernetes.stream import stream

config.load_kube_config(sys.argv[1])
image = sys.argv[2]
core = client.CoreV1Api()

body = client.V1Pod(
    metadata=client.V1ObjectMeta(name="by-python", labels={"by": "python"}),
    spec=client.V1PodSpec(containers=[client.V1Container(name="main", image=image, command=["sleep", "600"])]),
)
version = core.list_namespaced_pod("default").metadata.resource_version
core.create_namespaced_pod("default", body)
for event in watch.Watch().stream(core.list_namespaced_pod, "default", resource_version=version, timeout_seconds=60):
    if event["object"].metadata.name == "by-python" and event["object"].status.phase == "Running":
        break
else:
    sys.exit("it does not run")
assert core.read_namespaced_pod("by-python", "default").status.phase == "Running"
assert [pod.metadata.name for pod in core.list_namespaced_pod("default", label_selector="by=python").items] == ["by-python"]
try:
    core.create_namespaced_pod("default", body)
    sys.exit("a name was given twice")
except client.ApiException as error:
    assert error.status == 409, error

command = ["sh", "-c", "echo out; echo err >&2; cat; exit 7"]
run = stream(
    core.connect_get_namespaced_pod_exec,
    "by-python",
    "default",
    command=command,
    stdin=True,
    stdout=True,
    stderr=True,
    tty=False,
    _preload_content=False,
)
run.write_stdin("in\n")
run.close_channel(0)
run.run_forever(timeout=60)
shown = run.read_stdout(), run.read_stderr(), run.returncode
assert shown == ("out\nin\n", "err\n", 7), shown

core.delete_namespaced_pod("by-python", "default")
for _ in range(600):
    if not core.list_namespaced_pod("default", label_selector="by=python").items:
        break
    threading.Event().wait(0.1)
else:
    sys.exit("it does not go")
try:
    core.read_namespaced_pod("by-python", "default")
    sys.exit("it is still there")
except client.ApiException as error:
    assert error.status == 404, error
print("seen")
