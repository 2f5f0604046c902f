"""A player on a cluster, which thinks for half a second about each line that it is sent.

Says for each what is missing, and by how much it was late.
"""

import json
import sys

import semisplit
from semisplit.agents import make_agent, parse_agent
from tests.support.cluster import think_timed


def main() -> None:
    agent = make_agent(parse_agent(sys.argv[1]), semisplit.load("breakthrough"), 1, 1)
    for _ in sys.stdin:
        thought, late = think_timed(agent, 0.5)
        assert thought.result
        print(json.dumps([thought.result.note, late]), flush=True)


if __name__ == "__main__":
    main()
