// A FIFO that no writer has opened yet is not hung up; once one came and went, it is.
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const char *what, int fd) {
  struct pollfd one = {fd, POLLIN, 0};
  int count = poll(&one, 1, 0);
  printf("%s: %d%s%s\n", what, count, one.revents & POLLIN ? " in" : "",
         one.revents & POLLHUP ? " hup" : "");
}

int main(void) {
  char byte;
  if (mkfifo("queue", 0600))
    return 1;
  int in = open("queue", O_RDONLY | O_NONBLOCK);
  show("new", in);
  int out = open("queue", O_WRONLY);
  show("opened", in);
  printf("%zd\n", write(out, "x", 1));
  show("written", in);
  close(out);
  show("left", in);
  printf("%zd\n", read(in, &byte, 1));
  show("drained", in);
  out = open("queue", O_WRONLY);
  show("another writer", in);
  unlink("queue");
  return 0;
}
