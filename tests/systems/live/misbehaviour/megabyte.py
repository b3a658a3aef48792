"""Answers each line with a megabyte."""
from peer import connections, lines, listening

for connection in connections(listening()):
    for line in lines(connection):
        connection.sendall(bytes(range(128)) * 8192)
