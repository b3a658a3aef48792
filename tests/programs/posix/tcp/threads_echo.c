// A server thread answers several clients, one after the other.
#include "../socket/net.h"
#include <pthread.h>

static int l;

static void *serve(void *unused) {
  for (int i = 0; i < 3; i++) {
    int fd = accept(l, NULL, NULL);
    char buffer[32];
    ssize_t n;
    while ((n = recv(fd, buffer, sizeof buffer, 0)) > 0)
      send(fd, buffer, (size_t)n, 0);
    close(fd);
  }
  return unused;
}

int main(void) {
  l = listener(0);
  pthread_t thread;
  need(pthread_create(&thread, NULL, serve, NULL) == 0, "thread");
  for (int i = 0; i < 3; i++) {
    int fd = client_of(l);
    char text[16], buffer[16];
    int len = snprintf(text, sizeof text, "message %d", i);
    send(fd, text, (size_t)len, 0);
    ssize_t n = recv(fd, buffer, (size_t)len, MSG_WAITALL);
    printf("%zd [%.*s]\n", n, (int)n, buffer);
    close(fd);
  }
  pthread_join(thread, NULL);
  return 0;
}
