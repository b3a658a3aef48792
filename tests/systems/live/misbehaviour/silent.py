"""Listens, and never says anything."""
from peer import connections, lines, listening

for connection in connections(listening()):
    for line in lines(connection):
        pass
