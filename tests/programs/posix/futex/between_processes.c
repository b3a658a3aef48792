// A futex in shared memory works between processes: a turn is passed to and fro.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// As in linux/futex.h, which not every libc brings along.
enum {
  FUTEX_WAIT = 0,
  FUTEX_WAKE = 1,
};

struct shared {
  atomic_uint turn;
  int count, order[10];
};

static void take_turns(struct shared *shared, unsigned mine) {
  for (int i = 0; i < 5; i++) {
    unsigned turn;
    while ((turn = shared->turn) != mine)
      syscall(SYS_futex, &shared->turn, FUTEX_WAIT, turn, NULL, NULL, 0);
    shared->order[shared->count++] = (int)mine;
    shared->turn = 1 - mine;
    syscall(SYS_futex, &shared->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
  }
}

int main(void) {
  struct shared *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  if (child == 0) {
    take_turns(shared, 1);
    _exit(0);
  }
  take_turns(shared, 0);
  waitpid(child, NULL, 0);
  for (int i = 0; i < 10; i++)
    printf("%d ", shared->order[i]);
  printf("%d\n", shared->count);
  return 0;
}
