/* Says some words to a peer, one of two after each answer, on connections that follow each other, and prints what it
 * hears. */
#include <klee/klee.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static struct addrinfo *peer;

/* Reads until an answer ends, and returns 0 when nothing comes any more. */
static int hear(int fd)
{
    char byte;
    while (recv(fd, &byte, 1, 0) == 1) {
        putchar(byte);
        if (byte == '.')
            return 1;
    }
    putchar('!');
    return 0;
}

int main(int argc, char **argv)
{
    unsigned seed = argc > 1 ? atoi(argv[1]) : 0;
    struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    if (getaddrinfo("peer", "70", &wanted, &peer) != 0)
        return 1;
    int fd = -1;
    for (int step = 0; step < 4; step++) {
        if (fd < 0) {
            fd = socket(AF_INET, SOCK_STREAM, 0);
            if (connect(fd, peer->ai_addr, peer->ai_addrlen) != 0) {
                putchar('?');
                break;
            }
        }
        char byte = 'A' + (seed >> step) % 4;
        if (klee_range(0, 2, "word"))
            byte += 7;
        putchar(byte);
        if (send(fd, &byte, 1, MSG_NOSIGNAL) != 1 || !hear(fd)) {
            close(fd);
            fd = -1;
        }
    }
    return 0;
}
