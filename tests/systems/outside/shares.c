/* Two processes draw numbers, each for itself. */
#include <assert.h>
#include <klee/klee.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2], first = klee_range(0, 10, "number"), theirs = 0;
  assert(pipe(ends) == 0);
  if (fork() == 0) {
    theirs = klee_range(0, 10, "number");
    assert(write(ends[1], &theirs, sizeof theirs) == sizeof theirs);
    _exit(0);
  }
  int own = klee_range(0, 10, "number");
  assert(read(ends[0], &theirs, sizeof theirs) == sizeof theirs && wait(NULL) > 0);
  assert(100 * first + 10 * own + theirs != 135); // mark: guilty
  return 0;
}
