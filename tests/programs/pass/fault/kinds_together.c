// Several kinds at once: each test case makes the same happen, and prints the same.
//@ args: --max-sys-fail 1 --short-reads 1 --interrupts 1 --select-fail-interval 2 --max-malloc-fail 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void handler(int signal) { (void)signal; }

static void say(const char *what, long result) {
  printf("%s %ld %s\n", what, result, result < 0 ? strerror(errno) : "");
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  char text[8], *place = malloc(8);
  say("malloc", place ? 0 : -1);
  say("sigaction", sigaction(SIGUSR1, &action, NULL));
  int fd = open("file", O_RDWR | O_CREAT, 0600);
  say("open", fd);
  say("write", write(fd, "hello", 5));
  say("read", pread(fd, text, 5, 0));
  struct pollfd wanted = {-1, POLLIN, 0};
  for (int i = 0; i < 4; i++) say("poll", poll(&wanted, 1, i % 2));
  say("sleep", usleep(10));
  say("read", pread(fd, text, 5, 0));
  say("close", close(fd));
  return 0;
}
