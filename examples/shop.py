"""Runs a program as its page prints it, with the requests of doc/clients.md.

python3 ../shop.py javascript    runs the blocks of doc/clients/javascript.md below these lines:

    <!-- run -->
    <!-- start -->    in the background: first the server, then the consumer
"""

import atexit
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from datetime import datetime
from pathlib import Path

tree = Path.cwd().parents[1]
sys.path.insert(0, str(tree / "clients/python"))

from pg_gid import Gid  # noqa: E402


def shows(what: str, holds: object) -> None:
    print("ok" if holds else "not ok", "-", what, flush=True)


def normal(text: str) -> str:
    """The text with the kind and number of each id, and with the id of each time."""
    times = {}
    for number, id in enumerate(dict.fromkeys(re.findall(r"\b[1-9A-HJ-NP-Za-km-z]{10}-[1-9A-HJ-NP-Za-km-z]{13}\b", text))):
        times.setdefault(Gid(id).time, f"time of {number}")
        text = text.replace(id, f"{Gid(id).kind} {number}")
    text = re.sub(r"\b[\d-]{10}T[\d:.]{12,15}Z", lambda time: times.get(datetime.fromisoformat(time[0]), time[0]), text)
    return re.sub(r"\s", "", text)


def wait_for(what: str, holds) -> None:
    end = time.monotonic() + 60
    while not holds() and time.monotonic() < end:
        time.sleep(0.1)
    shows(what, holds())


def answers() -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", int(port))) == 0


def start(block: str, name: str) -> subprocess.Popen:
    with open(name, "ab") as out, open(f"{name}.log", "ab") as log:
        return subprocess.Popen(["sh", "-c", block], stdout=out, stderr=log, start_new_session=True)


def stop(process: subprocess.Popen) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


@atexit.register
def clean_up() -> None:
    for process in running:
        stop(process)
    for log in Path().glob("*.log"):
        print(re.sub("^", f"# {log.stem}: ", log.read_text(), flags=re.M))
    shutil.rmtree(folder)


def request(path: str, body: object = None) -> tuple:
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"} if data else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers)) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        json.load(error)
        return error.code, None


with socket.create_server(("127.0.0.1", 0)) as free:
    port = os.environ["PORT"] = str(free.getsockname()[1])
folder, running = tempfile.mkdtemp(), []
os.symlink(tree, f"{folder}/gid")
os.mkdir(f"{folder}/program")
os.chdir(f"{folder}/program")

page = (tree / f"doc/clients/{sys.argv[1]}.md").read_text()
blocks = re.findall(r"^<!-- (run|start) -->\n```sh\n(.*?)^```$", page, re.M | re.S)
for how, block in blocks:
    if how == "run":
        ran = subprocess.run(["sh", "-ec", block], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        shows(f"the page prints: {block.splitlines()[-1]}", ran.returncode == 0)
        if ran.returncode:
            sys.exit(re.sub("^", "# ", ran.stdout, flags=re.M))
server, consumer = [block for how, block in blocks if how == "start"]
running += [start(server, "server"), start(consumer, "consumer")]
wait_for(f"the server answers: {server.strip()}", answers)

# The requests as printed, in one shell.
section = re.search(r"^## A whole program$.*?^## ", (tree / "doc/clients.md").read_text(), re.M | re.S)[0]
printed = re.findall(r"^```sh\n(.*?)^```$\n+```json\n(.*?)^```$", section, re.M | re.S)
script = "\necho '|'\n".join(block.replace("localhost:8000", f"localhost:{port}") for block, _ in printed)
got = subprocess.run(["sh", "-ec", script], stdout=subprocess.PIPE, text=True).stdout
expected = "|".join(result for _, result in printed)
for (block, _), a, b in zip(printed, normal(got).split("|"), normal(expected).split("|")):
    shows(f"the result of: {block.splitlines()[0]}", a == b)

# What the page does not print.
orders = request("/orders")[1]["orders"]
customer, order = orders[0]["customer"], orders[0]["id"]
orders += [request("/orders", {"customer": customer})[1] for _ in range(4)]
first = request("/orders?limit=3")[1]
shows("a full page, and the rest", request(f"/orders?limit=3&after={first['next']}")[1] == {"orders": orders[3:], "next": None})
shows("in order", first["orders"] == orders[:3])
since = request(f"/orders?since={orders[3]['created_at']}")[1]["orders"]
shows("since a time", since == [order for order in orders if order["created_at"] >= orders[3]["created_at"]])
for path in "?since=yesterday", "?after=tea", f"?after={customer}", "?limit=0", "?limit=101", "?limit=x":
    shows(f"422 for {path}", request(f"/orders{path}")[0] == 422)
for body in {"customer": order}, {"customer": str(Gid.new("c"))}, {"customer": 7}, {"customer": None}, {}, [], b"{":
    shows(f"422 for {body!r}", request("/orders", body)[0] == 422)

# The consumer prints each order once, also if it is started again.  Before it commits, it would print some again.
moved = "SELECT position = (SELECT max(id) FROM orders) FROM cursors WHERE consumer = 'printer'"
wait_for("the cursor is at the last order", lambda: subprocess.check_output(["psql", "-XAtqc", moved]) == b"t\n")
stop(running.pop())
running.append(start(consumer, "consumer"))
orders.append(request("/orders", {"customer": customer})[1])
wait_for("the consumer has printed all orders", lambda: len(Path("consumer").read_text().splitlines()) >= len(orders))
stop(running[-1])
lines = Path("consumer").read_text().splitlines()
(line,) = re.findall(r"prints each order once.*?^```\n(.*?)^```$", section, re.M | re.S)
shows("the line of an order", normal(lines[0]) == normal(line))
shows("each order once", lines == [f"{order['id']} {order['customer']}" for order in orders])
