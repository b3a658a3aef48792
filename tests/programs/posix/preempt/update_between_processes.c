//@ args: --preempt 2
// Two processes count in shared memory by atomic additions.
#define _GNU_SOURCE
#include <assert.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void increment(atomic_int *counter) {
  atomic_fetch_add(counter, 1);
}

int main(void) {
  atomic_int *counter = mmap(0, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  if (child == 0) {
    increment(counter);
    _exit(0);
  }
  increment(counter);
  waitpid(child, 0, 0);
  assert(*counter == 2);
  return 0;
}
