"""What all peers here begin with: a server on the port that is the first argument."""
import socket
import sys


def listening():
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(sys.argv[1])))
    listener.listen()
    return listener


def connections(listener):
    while True:
        yield listener.accept()[0]


def lines(connection):
    return connection.makefile("rb", buffering=0)
