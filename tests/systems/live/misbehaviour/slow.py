"""Thinks for a while about each line. The second argument is the time in seconds."""
import sys
import time

from peer import connections, lines, listening

for connection in connections(listening()):
    for line in lines(connection):
        time.sleep(float(sys.argv[2]))
        connection.sendall(b"let me see, " + line)
