"""An agent on any OpenAI-compatible chat endpoint: OPENAI_BASE_URL, OPENAI_API_KEY and MODEL say which.

The model is shown what a person at the desk would be given: policy, text and tools. `intent`, `scenario`
and `seed` stay out of its prompt: the first is the task already understood, the others tell a model that has
seen the bank which case it is.
"""

import json, os, sys, urllib.request

BASE = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1").rstrip("/")
KEY = os.environ.get("OPENAI_API_KEY", "")
HEADERS = {"content-type": "application/json", "authorization": f"Bearer {KEY}"}
ANSWER = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
FINISH = {"name": "finish", "description": "Ends the chat with your final answer.", "inputSchema": ANSWER}
usage = {"inputTokens": 0, "outputTokens": 0}


def send(**message):
    print(json.dumps(message), flush=True)


def receive():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)  # the trial is over
    return json.loads(line)


def ask(messages, tools):
    body = {"model": os.environ["MODEL"], "messages": messages, "tools": tools}
    request = urllib.request.Request(BASE + "/chat/completions", json.dumps(body).encode(), HEADERS)
    with urllib.request.urlopen(request, timeout=100) as response:
        reply = json.load(response)
    spent = reply.get("usage") or {}
    usage["inputTokens"] += spent.get("prompt_tokens", 0)
    usage["outputTokens"] += spent.get("completion_tokens", 0)
    return reply["choices"][0]["message"]


def offered(tool):
    function = {"name": tool["name"], "description": tool["description"], "parameters": tool["inputSchema"]}
    return {"type": "function", "function": function}


def make(tool_calls):
    """All calls of one turn in one message. The arguments go out as the model's own text, JSON or not."""
    functions = [call["function"] for call in tool_calls]
    send(type="calls", calls=[{"tool": one["name"], "arguments": one["arguments"]} for one in functions])
    answer = receive()  # one call is answered by a `result`, several by `results`
    for call, result in zip(tool_calls, answer.get("results", [answer])):
        content = "no answer came: it may have happened" if result.get("lost") else json.dumps(result["body"])
        yield {"role": "tool", "tool_call_id": call["id"], "content": content}


task = receive()
chat = task["conversational"]  # then a user talks, and the final answer is a tool of its own
tools = [offered(tool) for tool in task["tools"] + ([FINISH] if chat else [])]
system = f"{task['policy']}\n\nIt is {task['now']}." + (f"\n\nYour task: {task['text']}" if chat else "")
messages = [{"role": "system", "content": system}]
messages.append({"role": "user", "content": receive()["text"] if chat else task["text"]})
while True:
    message = ask(messages, tools)
    messages.append(message)
    calls = message.get("tool_calls") or []
    finish = next((c["function"]["arguments"] for c in calls if c["function"]["name"] == "finish"), None)
    if finish is not None or not (calls or chat):
        answer = message.get("content") if finish is None else json.loads(finish)["answer"]
        send(type="final", answer=answer or "", usage=usage)
        break
    if calls:
        messages.extend(make(calls))
    else:
        send(type="say", text=message.get("content") or "")
        messages.append({"role": "user", "content": receive()["text"]})
