"""Closes each connection at once."""
from peer import connections, listening

for connection in connections(listening()):
    connection.close()
