"""Speaks out of turn: before it is asked, and before it answers."""
from peer import connections, lines, listening

for connection in connections(listening()):
    connection.sendall(b"welcome\n")
    for line in lines(connection):
        connection.sendall(b"news: it rains\nanswer to " + line)
