//@ native: yes
// A pipe gives bytes in order and ends when nobody can write; EPIPE without a reader, EAGAIN without waiting.
#include "../check.h"
#include <signal.h>

int main(void) {
  int p[2];
  char text[16] = "";
  signal(SIGPIPE, SIG_IGN);
  SHOW(pipe(p));
  SHOW(write(p[1], "hello ", 6));
  SHOW(write(p[1], "world", 5));
  SHOW(read(p[0], text, 8));
  SHOW(read(p[0], text + 8, 8));
  puts(text);
  SHOW(read(p[1], text, 1));
  SHOW(write(p[0], text, 1));
  SHOW(close(p[1]));
  SHOW(read(p[0], text, 1));
  SHOW(close(p[0]));
  SHOW(pipe2(p, O_NONBLOCK | O_CLOEXEC));
  SHOW(fcntl(p[0], F_GETFD));
  SHOW(read(p[0], text, 1));
  static char block[4096];
  long total = 0;
  for (long n; (n = write(p[1], block, sizeof block)) > 0;)
    total += n;
  printf("full after %ld: %s\n", total, errno_name(errno));
  SHOW(write(p[1], "x", 1));
  SHOW(read(p[0], block, 4096));
  SHOW(write(p[1], block, 4096));
  SHOW(close(p[0]));
  SHOW(write(p[1], "x", 1));
  SHOW(close(p[1]));
  SHOW(pipe2(p, 0x1000000));
  SHOW(pipe(unmapped));
  struct stat st;
  SHOW(pipe(p));
  SHOW(fstat(p[0], &st));
  IS(S_ISFIFO(st.st_mode));
  return close(p[0]) | close(p[1]);
}
