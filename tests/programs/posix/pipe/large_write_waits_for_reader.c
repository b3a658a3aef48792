// A blocking write of more than the pipe holds goes through whole, in turns with the reader.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TOTAL = 200000 };

static unsigned char data[TOTAL], chunk[3000];

int main(void) {
  int ends[2];
  if (pipe(ends))
    return 1;
  for (int i = 0; i < TOTAL; i++)
    data[i] = (unsigned char)(i * 7 + i / 251);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    _exit(write(ends[1], data, TOTAL) == TOTAL ? 3 : 4);
  }
  close(ends[1]);
  int at = 0, wrong = 0, status;
  for (ssize_t got; (got = read(ends[0], chunk, sizeof chunk)) > 0; at += (int)got)
    for (ssize_t i = 0; i < got; i++)
      wrong += chunk[i] != data[at + i];
  waitpid(child, &status, 0);
  printf("%d bytes, %d wrong, child %d\n", at, wrong, WEXITSTATUS(status));
  return 0;
}
