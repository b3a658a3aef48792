// SCM_RIGHTS: open files travel to another process, with their positions.
#include "local.h"

int main(void) {
  int p[2], ends[2], fds[16];
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0 && pipe(ends) == 0, "pairs");
  put("file", "0123456789");
  int file = open("file", O_RDONLY);
  need(read(file, fds, 3) == 3, "read");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    char buffer[16];
    char byte = 0;
    int got[16];
    close(file), close(ends[0]), close(ends[1]);
    int n = obtain("child", p[1], got, 4, 0);
    ssize_t k = read(got[0], buffer, 4);
    printf("child read %zd [%.4s]\n", k, buffer);
    write(got[1], "through", 7);
    fflush(stdout);
    _exit(n == 2 && byte == 0 ? 0 : 1);
  }
  int sent[2] = {file, ends[1]};
  ssize_t passed = pass(p[0], "two of them", sent, 2);
  close(ends[1]);
  int status;
  waitpid(child, &status, 0);
  NUM(passed);
  NUM(WEXITSTATUS(status));
  char buffer[16];
  ssize_t n = read(ends[0], buffer, sizeof buffer);
  printf("pipe %zd [%.*s]\n", n, (int)n, buffer);
  // The position is shared; the pipe has ended with its last writer.
  n = read(file, buffer, sizeof buffer);
  printf("file %zd [%.*s]\n", n, (int)n, buffer);
  SHOW(read(ends[0], buffer, 1));
  return 0;
}
