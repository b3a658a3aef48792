/* Two processes accept from one listening socket; each serves two connections and tells how many bytes it saw. */
#include <sys/wait.h>

#include "../sockets.h"

static int work(int listener) {
  int seen = 0;
  for (int i = 0; i < 2; i++) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    char line[16];
    ssize_t size = read(fd, line, sizeof line);
    assert(size > 0);
    seen += size;
    write_all(fd, line, size);
    close(fd);
  }
  return seen;
}

int main(void) {
  int listener = listening(8080), total = 0;
  for (int i = 0; i < 2; i++) {
    pid_t child = fork();
    assert(child >= 0);
    if (child == 0) _exit(work(listener));
  }
  close(listener);
  for (int i = 0; i < 2; i++) {
    int status;
    assert(wait(&status) > 0);
    assert(WIFEXITED(status));
    total += WEXITSTATUS(status);
  }
  assert(total == 1 + 2 + 3 + 4);
  return 0;
}
