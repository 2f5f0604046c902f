"""What all processes of tabs need: it is loaded once, in the process that they are forked from."""

from importlib import import_module

from semisplit.search.kernels.load import are_compiled, load_kernels
from semisplit.web.process import SERVICES

for service in SERVICES.values():
    import_module(service.partition(":")[0])
if are_compiled():
    load_kernels()
