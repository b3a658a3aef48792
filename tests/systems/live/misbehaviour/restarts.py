"""Ends after each answer, with all of its connections, and is there again a little later."""
import time

from peer import lines, listening

while True:
    listener = listening()
    connection = listener.accept()[0]
    line = lines(connection).readline()
    connection.sendall(b"answer to " + line)
    connection.close()
    listener.close()
    time.sleep(0.05)
