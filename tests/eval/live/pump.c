/* Sends bytes to a peer, in pieces: one after the other, or each one after the answer to the one before. */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Reads as many bytes as were sent. */
static void read_echo(int fd, char *bytes, long size)
{
    while (size > 0) {
        long got = recv(fd, bytes, size, 0);
        if (got <= 0)
            exit(5);
        size -= got;
    }
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 1;
    long piece = atol(argv[3]), total = atol(argv[4]);
    int waits = strcmp(argv[5], "echo") == 0;
    struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *peer;
    if (getaddrinfo(argv[1], argv[2], &wanted, &peer) != 0)
        return 2;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, peer->ai_addr, peer->ai_addrlen) != 0)
        return 3;
    char *bytes = malloc(piece);
    memset(bytes, 'x', piece);
    for (long sent = 0; sent < total;) {
        long size = send(fd, bytes, piece < total - sent ? piece : total - sent, 0);
        if (size < 0)
            return 4;
        if (waits)
            read_echo(fd, bytes, size);
        sent += size;
    }
    shutdown(fd, SHUT_WR);
    char answer[32] = "";
    if (!waits && recv(fd, answer, sizeof answer - 1, 0) <= 0)
        return 5;
    return !waits && atol(answer) != total;
}
