"""Sends datagrams back, in capital letters."""
import socket
import sys

sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sock.bind(("127.0.0.1", int(sys.argv[1])))
while True:
    message, sender = sock.recvfrom(2000)
    sock.sendto(message.upper(), sender)
