"""A program that knows nothing of Groundhog: it settles order 88213 over the help desk's own API."""

import json
import os
import urllib.request

API = "https://api.helpdesk.example"


def call(method, path, body=None):
    request = urllib.request.Request(
        API + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['HELPDESK_TOKEN']}",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


call("GET", "/orders/88213")
call("GET", "/orders/88213/policy")
call("POST", "/orders/88213/refunds", {"amount": 240})
call(
    "POST",
    "/emails",
    {
        "to": "mira.alder@example.com",
        "subject": "Your refund for order 88213",
        "body": "We paid 240.00 back for one side table of order 88213.",
    },
)
print("I refunded 240.00 for one side table of order 88213 and confirmed it by e-mail.")
