// Forty children at once, each waited for exactly once, whatever the order.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 40 };

int main(void) {
  int go[2], codes[CHILDREN] = {0}, wrong = 0, status;
  pid_t children[CHILDREN], got;
  char byte;
  if (pipe(go))
    return 1;
  for (int i = 0; i < CHILDREN; i++)
    if ((children[i] = fork()) == 0) {
      close(go[1]);
      _exit(read(go[0], &byte, 1) == 0 ? i : 255);
    }
  printf("nobody yet: %d\n", waitpid(-1, &status, WNOHANG));
  close(go[1]);
  int waited = 0;
  while ((got = wait(&status)) > 0) {
    waited++;
    for (int i = 0; i < CHILDREN; i++)
      if (children[i] == got) {
        codes[i]++;
        wrong += WEXITSTATUS(status) != i;
      }
  }
  for (int i = 0; i < CHILDREN; i++)
    wrong += codes[i] != 1;
  printf("%d waited for, %d wrong\n", waited, wrong);
  return 0;
}
