// A client and a server process: bytes in both directions, borders of writes are not kept, end of file at last.
#include "../socket/net.h"

int main(void) {
  int l = listener(1);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int fd = client_of(l);
    write(fd, "one ", 4);
    write(fd, "two ", 4);
    write(fd, "three", 5);
    shutdown(fd, SHUT_WR);
    char buffer[64];
    ssize_t n, all = 0;
    while ((n = read(fd, buffer + all, sizeof buffer - (size_t)all)) > 0)
      all += n;
    _exit(all == 13 && !memcmp(buffer, "ONE TWO THREE", 13) ? 0 : 1);
  }
  int fd = accept(l, NULL, NULL);
  char buffer[64];
  ssize_t n, all = 0;
  while ((n = read(fd, buffer + all, sizeof buffer - (size_t)all)) > 0)
    all += n;
  printf("%zd [%.*s]\n", all, (int)all, buffer);
  for (ssize_t i = 0; i < all; i++)
    if (buffer[i] >= 'a')
      buffer[i] -= 32;
  SHOW(write(fd, buffer, (size_t)all));
  SHOW(close(fd));
  int status;
  waitpid(child, &status, 0);
  NUM(WEXITSTATUS(status));
  return 0;
}
