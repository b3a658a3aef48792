"""Dies in the middle of its second answer, and is there again a little later."""
import os
import time

from peer import connections, lines, listening


def serve():
    for connection in connections(listening()):
        for number, line in enumerate(lines(connection)):
            if number == 1:
                connection.sendall(b"half of an ans")
                os._exit(3)
            connection.sendall(b"answer to " + line)


while True:
    child = os.fork()
    if child == 0:
        serve()
    os.waitpid(child, 0)
    time.sleep(0.2)
