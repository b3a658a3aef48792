// A server that waits with select for its listener and its clients.
#include "../socket/net.h"
#include <sys/select.h>

int main(void) {
  int l = listener(4), fds[3] = {-1, -1, -1}, open_ = 0, served = 0;
  fflush(stdout);
  for (int i = 0; i < 3; i++)
    if (fork() == 0) {
      int fd = client_of(l);
      char text[8], buffer[8];
      int len = snprintf(text, sizeof text, "c%d", i);
      send(fd, text, (size_t)len, 0);
      ssize_t n = recv(fd, buffer, sizeof buffer, 0);
      _exit(n == len && !memcmp(text, buffer, (size_t)len) ? 0 : 1);
    }
  while (served < 3) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(l, &set);
    int top = l;
    for (int i = 0; i < 3; i++)
      if (fds[i] >= 0) {
        FD_SET(fds[i], &set);
        top = fds[i] > top ? fds[i] : top;
      }
    need(select(top + 1, &set, NULL, NULL, NULL) > 0, "select");
    if (FD_ISSET(l, &set))
      fds[open_++] = accept(l, NULL, NULL);
    for (int i = 0; i < 3; i++)
      if (fds[i] >= 0 && FD_ISSET(fds[i], &set)) {
        char buffer[8];
        ssize_t n = recv(fds[i], buffer, sizeof buffer, 0);
        if (n > 0)
          send(fds[i], buffer, (size_t)n, 0);
        else {
          close(fds[i]);
          fds[i] = -1;
          served++;
        }
      }
  }
  int good = 0;
  for (int i = 0, status; i < 3; i++)
    good += wait(&status) > 0 && status == 0;
  NUM(good);
  return 0;
}
