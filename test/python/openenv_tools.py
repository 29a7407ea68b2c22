"""A whole episode with the published MCPToolClient, two of them side by side. Prints one JSON object."""

import asyncio
import json
import sys

from openenv.core.env_server.mcp_types import CallToolAction
from openenv.core.mcp_client import MCPToolClient


async def episode(url, amount):
    async with MCPToolClient(base_url=url) as env:
        start = await env.reset(scenario="refund-88213")
        tools = await env.list_tools()
        order = await env.call_tool("lookup_order", order_id="88213")
        await env.call_tool("check_policy", order_id="88213")
        await env.call_tool("refund", order_id="88213", amount=amount)
        await env.call_tool(
            "send_email", to="mira.alder@example.com", subject="Your refund", body="We paid it back."
        )
        missing = await env.call_tool("lookup_order", order_id="none")
        try:
            await env.call_tool("no_such_tool")
            unknown = None
        except RuntimeError as error:
            unknown = str(error)
        state = await env.state()
        answer = {"text": "I refunded 240.00 for order 88213."}
        end = await env.step(CallToolAction(tool_name="submit_answer", arguments=answer))
    return {
        "task": start.observation.metadata["task"],
        "tools": [[tool.name, sorted(tool.input_schema["properties"])] for tool in tools],
        "order": order["order_id"],
        "missing": missing["error"]["code"],
        "unknown": unknown,
        "steps": state.step_count,
        "reward": end.reward,
        "done": end.done,
    }


async def main(url):
    return await asyncio.gather(episode(url, 240), episode(url, 10))


print(json.dumps(asyncio.run(main(sys.argv[1]))))
