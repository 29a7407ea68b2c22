"""A whole episode with the published GenericEnvClient. Prints what it saw as one JSON object."""

import asyncio
import json
import sys

from openenv.core.generic_client import GenericEnvClient

CALLS = [
    ("lookup_order", {"order_id": "88213"}),
    ("check_policy", {"order_id": "88213"}),
    ("refund", {"order_id": "88213", "amount": 240}),
    ("send_email", {"to": "mira.alder@example.com", "subject": "Your refund", "body": "We paid 240.00 back."}),
    ("submit_answer", {"text": "I refunded 240.00 for order 88213."}),
]


def call(name, arguments):
    return {"type": "call_tool", "tool_name": name, "arguments": arguments}


async def main(url):
    async with GenericEnvClient(base_url=url) as env:
        listed = await env.step({"type": "list_tools"})
        start = await env.reset(scenario="refund-88213", seed=3)
        forked = await env.step({"type": "groundhog/fork"})
        steps = [await env.step(call(name, arguments)) for name, arguments in CALLS]
        state = await env.state()
        try:
            await env.step({"type": "nothing"})
            refused = None
        except RuntimeError as error:
            refused = str(error)
    return {
        "tools": [tool["name"] for tool in listed.observation["tools"]],
        "task": start.observation["task"],
        "trial": start.observation["trial"],
        "branch": forked.observation["branch"],
        "order": steps[0].observation["result"]["data"]["order_id"],
        "rewards": [step.reward for step in steps],
        "done": [step.done for step in steps],
        "state": state,
        "refused": refused,
    }


def blocking(url):
    """The same client without asyncio."""
    with GenericEnvClient(base_url=url).sync() as env:
        env.reset(scenario="refund-88213")
        return env.step(call("submit_answer", {"text": "Nothing done."})).reward


address = sys.argv[1]
print(json.dumps({**asyncio.run(main(address)), "blocking": blocking(address)}))
