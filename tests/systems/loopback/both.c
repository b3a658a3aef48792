/* Server and client in one: a child process asks its parent through the loopback interface. */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/wait.h>

#include "../sockets.h"

static void ask(int port) {
  int fd = connected(SOCK_STREAM, "127.0.0.1", port);
  write_all(fd, "ping", 4);
  shutdown(fd, SHUT_WR);
  char answer[8] = "";
  assert(read_all(fd, answer, sizeof answer) == 4);
  _exit(strcmp(answer, "pong") == 0 ? 7 : 1);
}

int main(void) {
  int listener = listening(0);
  struct sockaddr_in self;
  socklen_t size = sizeof self;
  assert(getsockname(listener, (struct sockaddr *)&self, &size) == 0);
  if (fork() == 0) ask(ntohs(self.sin_port));
  int fd = accept(listener, (struct sockaddr *)&self, &size);
  assert(fd >= 0);
  printf("from %s\n", inet_ntoa(self.sin_addr));
  char question[8] = "";
  printf("%zu bytes: ", read_all(fd, question, sizeof question));
  printf("%s\n", question);
  struct pollfd state = {fd, POLLIN | POLLOUT | POLLRDHUP, 0};
  printf("%d ready: %s\n", poll(&state, 1, -1),
         state.revents == (POLLIN | POLLOUT | POLLRDHUP) ? "hung up, can be answered" : "otherwise");
  write_all(fd, "pong", 4);
  close(fd);
  int status;
  wait(&status);
  printf("the child returned %d\n", WEXITSTATUS(status));
  return 0;
}
