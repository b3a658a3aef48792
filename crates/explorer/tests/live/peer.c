/* A peer that answers each byte with some bytes that follow from all bytes before and from a seed, and closes the
 * connection now and then. Its memory is that of all connections. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static unsigned memory;

static unsigned next(unsigned byte)
{
    memory = (memory ^ byte) * 2654435761u + 12345;
    return memory >> 16;
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
    memory = argc > 2 ? atoi(argv[2]) : 0;
    int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 16) != 0)
        return 1;
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        char byte;
        while (read(fd, &byte, 1) == 1) {
            unsigned what = next((unsigned char)byte);
            if (what % 5 == 0)
                break;
            char answer[8];
            int size = 1 + what % 4;
            for (int i = 0; i < size; i++)
                answer[i] = 'a' + next(i) % 26;
            if (write(fd, answer, size) != size)
                break;
            /* The end of an answer. */
            write(fd, ".", 1);
        }
        close(fd);
    }
}
