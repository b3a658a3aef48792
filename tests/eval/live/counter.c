/* A server of two threads. Each serves the requests of one connection, and answers each of them with the number of
 * requests so far. Both wait until each of them has a request, so they count at the same time, and one of the counts is
 * lost if a thread is preempted between its load and its store. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int listener;
static atomic_int count;
/* What each thread reads: a byte for each request that the other one has. */
static int others[2][2];

/* Reads one request, and returns false at the end of the stream. */
static int read_request(int fd)
{
    char request[1024];
    size_t size = 0;
    while (size < sizeof request - 1) {
        ssize_t got = read(fd, request + size, sizeof request - 1 - size);
        if (got <= 0)
            return 0;
        size += got;
        request[size] = 0;
        if (strstr(request, "\r\n\r\n"))
            return 1;
    }
    return 0;
}

static void *serve(void *argument)
{
    int number = (intptr_t)argument;
    int fd = accept(listener, NULL, NULL);
    while (read_request(fd)) {
        char sign = 0;
        write(others[!number][1], &sign, 1);
        read(others[number][0], &sign, 1);
        int mine = atomic_load(&count) + 1;
        atomic_store(&count, mine);
        char answer[128];
        int size = sprintf(answer, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n%d\n", mine);
        write(fd, answer, size);
    }
    close(fd);
    return NULL;
}

int main(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
    listener = socket(AF_INET, SOCK_STREAM, 0);
    int on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0)
        return 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pipe(others[i]) != 0)
            return 2;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, serve, (void *)(intptr_t)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
