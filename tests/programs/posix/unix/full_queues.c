// Writers that find no room wait, or are told to come again.
#include "local.h"

static char much[1 << 16];

int main(void) {
  int p[2];
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0, "socketpair");
  fcntl(p[0], F_SETFL, O_NONBLOCK);
  ssize_t n;
  size_t sent = 0, got = 0;
  while ((n = write(p[0], much, sizeof much)) > 0)
    sent += (size_t)n;
  printf("%zd %s\n", n, errno_name(errno));
  ready("full", p[0], 0);
  fcntl(p[1], F_SETFL, O_NONBLOCK);
  while ((n = read(p[1], much, sizeof much)) > 0)
    got += (size_t)n;
  IS(got == sent);
  ready("empty", p[0], 0);
  // A waiting writer goes on as the reader reads.
  fcntl(p[0], F_SETFL, 0);
  fcntl(p[1], F_SETFL, 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    close(p[1]);
    for (int i = 0; i < 20; i++)
      if (write(p[0], much, sizeof much) != (ssize_t)sizeof much)
        _exit(1);
    _exit(0);
  }
  close(p[0]);
  for (got = 0; (n = read(p[1], much, 10000)) > 0;)
    got += (size_t)n;
  IS(got == 20 * sizeof much);
  int status;
  waitpid(child, &status, 0);
  NUM(WEXITSTATUS(status));
  // Datagrams are never cut.
  need(socketpair(AF_UNIX, SOCK_DGRAM, 0, p) == 0, "socketpair");
  static char huge[1 << 20];
  SHOW(send(p[0], huge, sizeof huge, 0));
  int count = 0;
  while (send(p[0], much, 1000, MSG_DONTWAIT) == 1000)
    count++;
  printf("%s\n", errno_name(errno));
  IS(count > 10);
  ready("full", p[0], 0);
  int back = 0;
  while (recv(p[1], much, sizeof much, MSG_DONTWAIT) == 1000)
    back++;
  IS(back == count);
  return 0;
}
