"""Serves SQL by TCP: a statement a line, answered by a line for each row, or one with the error, and an empty line."""
import sqlite3
import socketserver
import sys

database = sqlite3.connect(":memory:", isolation_level=None)


def answer(statement):
    try:
        rows = database.execute(statement).fetchall()
    except (sqlite3.Error, sqlite3.Warning) as error:
        return f"error: {error}\n"
    return "".join("|".join("NULL" if value is None else str(value) for value in row) + "\n" for row in rows)


class Client(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            self.wfile.write((answer(line.decode(errors="replace")) + "\n").encode())


socketserver.TCPServer.allow_reuse_address = True
socketserver.TCPServer(("127.0.0.1", int(sys.argv[1])), Client).serve_forever()
