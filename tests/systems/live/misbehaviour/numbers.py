"""Answers the lines of each connection with its number."""
import threading

from peer import connections, lines, listening


def serve(connection, number):
    for line in lines(connection):
        connection.sendall(b"%d\n" % number)


for number, connection in enumerate(connections(listening()), 1):
    threading.Thread(target=serve, args=(connection, number)).start()
