"""How long hostile texts keep the parser busy; two seconds are the goal.

Run from the root of the repository:

    python -m benchmarks.hostile_input
"""

import random
import time
from contextlib import suppress

from tests.hostile import LARGE, LIMITS

from semisplit import games
from semisplit.core.errors import RuleError
from semisplit.rbg.description import parse


def seconds(text: str) -> float:
    """CPU time until a text has been read or refused."""
    start = time.process_time()
    with suppress(RuleError):
        parse(text)
    return time.process_time() - start


def mutations(count: int) -> list[str]:
    """Bundled descriptions with a stretch of text doubled many times or cut out."""
    rng = random.Random(0)
    mutated = []
    for _ in range(count):
        text = games.text(rng.choice(games.names()))
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.randint(1, 60))
        mutated.append(text[:start] + text[start:end] * rng.choice([0, 2, 50, 1000]) + text[end:])
    return mutated


def main() -> None:
    rows = [(name, seconds(text)) for name, text, _ in LIMITS]
    rows += [(f"large text {number}", seconds(text)) for number, text in enumerate(LARGE)]
    rows.append(("worst of 500 mutations", max(map(seconds, mutations(500)))))
    for name, spent in sorted(rows, key=lambda row: -row[1]):
        print(f"{spent:6.3f} s  {name}")


if __name__ == "__main__":
    main()
