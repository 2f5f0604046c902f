"""What all tests have in common."""

import gc


def pytest_collection_finish() -> None:
    """Let collections of garbage pass over what stays to the end: modules, and the tests."""
    gc.collect()
    gc.freeze()
