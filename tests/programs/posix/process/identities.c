// getpid, getppid, fork's answer and the thread id agree; pids of living children differ.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t parent = getpid(), children[4];
  int ends[2], status;
  if (pipe(ends))
    return 1;
  printf("%d %d\n", parent > 0, syscall(SYS_gettid) == parent);
  fflush(stdout);
  for (int i = 0; i < 4; i++)
    if ((children[i] = fork()) == 0) {
      pid_t mine[3] = {getpid(), getppid(), (pid_t)syscall(SYS_gettid)};
      _exit(write(ends[1], mine, sizeof mine) == sizeof mine ? 0 : 1);
    }
  int known = 0, parents = 0, threads = 0, distinct = 1;
  for (int i = 0; i < 4; i++) {
    pid_t told[3];
    if (read(ends[0], told, sizeof told) != sizeof told)
      return 1;
    for (int j = 0; j < 4; j++)
      known += told[0] == children[j];
    parents += told[1] == parent;
    threads += told[2] == told[0];
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++)
      distinct &= children[i] != children[j];
  printf("known %d parents %d threads %d distinct %d\n", known, parents, threads, distinct);
  pid_t seen = 0;
  for (int i = 0; i < 4; i++)
    seen ^= wait(&status);
  printf("%d %d\n", seen == (children[0] ^ children[1] ^ children[2] ^ children[3]), getpid() == parent);
  return 0;
}
