/* A server with two threads, each of which answers one connection with the number of requests so far. The counter
 * has no lock. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int listener, count;

static void *serve(void *unused)
{
    int fd = accept(listener, NULL, NULL);
    char request[1024], answer[128];
    if (read(fd, request, sizeof request) > 0) {
        int mine = count;
        mine++;
        count = mine;
        int size = sprintf(answer, "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n%d\n", mine);
        write(fd, answer, size);
    }
    close(fd);
    return unused;
}

int main(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0)
        return 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, serve, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
