"""Dies in the middle of its second answer."""
import os

from peer import connections, lines, listening

for connection in connections(listening()):
    for number, line in enumerate(lines(connection)):
        if number == 1:
            connection.sendall(b"half of an ans")
            os._exit(3)
        connection.sendall(b"answer to " + line)
