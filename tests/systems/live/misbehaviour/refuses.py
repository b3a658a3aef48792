"""Answers the lines of one connection, and listens for no other one."""
import signal

from peer import lines, listening

listener = listening()
connection = listener.accept()[0]
listener.close()
for line in lines(connection):
    connection.sendall(b"answer to " + line)
signal.pause()
