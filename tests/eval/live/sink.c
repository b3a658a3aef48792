/* A peer that reads everything: it tells how much it was, or sends all of it back. It runs natively. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    int echoes = strcmp(argv[2], "echo") == 0;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 16) != 0)
        return 2;
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        static char bytes[1 << 16];
        long total = 0;
        for (ssize_t size; (size = read(fd, bytes, sizeof bytes)) > 0; total += size)
            for (ssize_t done = 0; echoes && done < size;) {
                ssize_t written = write(fd, bytes + done, size - done);
                if (written < 0)
                    break;
                done += written;
            }
        if (!echoes)
            dprintf(fd, "%ld", total);
        close(fd);
    }
}
