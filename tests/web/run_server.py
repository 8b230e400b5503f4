"""A server of its own for the browser tests: its port is the first line it prints. Its database is the argument."""

import socket
import sys

import uvicorn

from mchezo.server.app import build
from mchezo.server.service import Config, Service

if __name__ == "__main__":
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    app = build(Service(Config(database=f"sqlite:///{sys.argv[1]}")))
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])
