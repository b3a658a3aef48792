/* A server and a client on one node, over a socket with a name, and stdio over it. */
#include <sys/un.h>
#include <sys/wait.h>

#include "../sockets.h"

static const struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "meeting"};

static int client(void) {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect(fd, (const struct sockaddr *)&name, sizeof name) == 0);
  write_all(fd, "hello\n", 6);
  char answer[8] = {0};
  assert(read_all(fd, answer, 6) == 6);
  return answer[0] == 'H' ? 7 : 8;
}

int main(void) {
  int listener = socket(AF_UNIX, SOCK_STREAM, 0), status;
  assert(bind(listener, (const struct sockaddr *)&name, sizeof name) == 0);
  assert(listen(listener, 1) == 0);
  pid_t pid = fork();
  if (pid == 0) _exit(client());
  int fd = accept(listener, NULL, NULL);
  assert(fd >= 0);
  FILE *stream = fdopen(fd, "r+");
  char line[16];
  assert(fgets(line, sizeof line, stream) && strcmp(line, "hello\n") == 0);
  line[0] = 'H';
  assert(fputs(line, stream) >= 0);
  assert(fclose(stream) == 0);
  assert(wait(&status) == pid && WIFEXITED(status));
  assert(WEXITSTATUS(status) != 7); // mark: guilty
  return 0;
}
