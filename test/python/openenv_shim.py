"""Runs a generated environment class: one argument is its file. Prints one JSON object."""

import importlib.util
import inspect
import json
import os
import sys
import typing
import warnings

warnings.simplefilter("error")
spec = importlib.util.spec_from_file_location("shim", sys.argv[1])
shim = importlib.util.module_from_spec(spec)
spec.loader.exec_module(shim)

env = shim.HelpdeskEnv()
# As trainers do: whole rows of a data set are handed over.
task = env.reset(scenario="refund-88213", prompt="not for the environment", seed=None)
order = json.loads(env.lookup_order(order_id="88213"))
env.check_policy(order_id="88213")
env.refund(order_id="88213", amount=240)
env.send_email(to="mira.alder@example.com", subject="Your refund", body="We paid 240.00 back.")
missing = json.loads(env.lookup_order("none"))
env.submit_answer("I refunded 240.00 for order 88213.")
reward, done, episode = env.reward, env.done, env.episode_id
try:
    env.lookup_order(order_id="88213")
    late = None
except RuntimeError as error:
    late = str(error)
env.reset(scenario="refund-88213", trial=1)
nobody = env.message_user(text="Hello?") if hasattr(env, "message_user") else None
again = [env.reward, env.done, env.episode_id]
steps = env.observation["step_count"]
url = os.environ["GROUNDHOG_URL"]
unreachable = []
for elsewhere in ("http://127.0.0.1:9", "nowhere"):
    os.environ["GROUNDHOG_URL"] = elsewhere
    try:
        shim.HelpdeskEnv().reset()
    except ConnectionError as error:
        unreachable.append(str(error))
os.environ["GROUNDHOG_URL"] = url
sys.modules["websockets"] = None
try:
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    missing_package = None
except ImportError as error:
    missing_package = str(error)

tools = {}
for name, method in inspect.getmembers(env, inspect.ismethod):
    if name.startswith("_") or name == "reset":
        continue
    hints = typing.get_type_hints(method)
    parameters = list(inspect.signature(method).parameters)
    lines = (method.__doc__ or "").splitlines()
    undocumented = [one for one in parameters if not any(line.strip().startswith(f"{one}: ") for line in lines)]
    tools[name] = {"parameters": parameters, "hints": sorted(hints), "undocumented": undocumented}

print(json.dumps({
    "task": task, "order": order["order_id"], "missing": missing["error"]["code"], "reward": reward, "done": done,
    "episode": episode, "late": late, "again": again, "tools": tools,
    "nobody": nobody, "steps": steps, "unreachable": unreachable, "missing_package": missing_package,
}))
