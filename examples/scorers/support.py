"""A scorer in Python, its standard library alone: which numbers of the answer stand in the task or in a result?

    groundhog score runs/demo/careful/trajectories/*.traj.jsonl --scorer support=command:"python3 examples/scorers/support.py"

The place of `score_of` is that of any library's metric. With DeepEval, for one, it would be

    from deepeval.metrics import FaithfulnessMetric
    from deepeval.test_case import LLMTestCase

    metric = FaithfulnessMetric()
    metric.measure(LLMTestCase(
        input=run["task"], actual_output=run["answer"],
        retrieval_context=[json.dumps(call["result"]) for call in run["calls"]],
    ))
    return metric.score, metric.reason
"""

import json
import re
import sys

VERSION = "support 1"


def score_of(run):
    numbers = re.findall(r"\d+(?:\.\d+)?", run["answer"] or "")
    if not numbers:
        return None, "the answer has no number"
    known = (run["task"] or "") + json.dumps([[call["arguments"], call["result"]] for call in run["calls"]])
    found = [number for number in numbers if number in known or number.rstrip("0").rstrip(".") in known]
    return len(found) / len(numbers), f"{len(found)} of {len(numbers)} numbers stand in the task or a result"


for line in sys.stdin:
    run = json.loads(line)
    score, explanation = score_of(run)
    label = "no number" if score is None else "supported" if score == 1 else "unsupported"
    reply = {"id": run["id"], "score": score, "label": label, "explanation": explanation, "version": VERSION}
    print(json.dumps(reply), flush=True)
