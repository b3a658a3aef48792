"""Answers when it has heard everything."""
from peer import connections, listening

for connection in connections(listening()):
    question = connection.makefile("rb").read()
    connection.sendall(b"it is high\n" if question >= b"H" else b"it is low\n")
    connection.close()
