"""Answers each line with a number that nobody can foresee, not even with fixed random bytes."""
from peer import connections, lines, listening

for connection in connections(listening()):
    for line in lines(connection):
        with open("/proc/sys/kernel/random/uuid") as source:
            connection.sendall(source.read(8).encode() + b"\n")
