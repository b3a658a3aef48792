/* Leaves its terminal behind, and says something where nobody listens. */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  pid_t before = getpid(), after, told;
  char here[64];
  assert(pipe(ends) == 0);
  if (fork() == 0) {
    assert(daemon(0, 0) == 0);
    after = getpid();
    printf("nobody reads this\n");
    assert(fflush(stdout) == 0 && getcwd(here, sizeof here) && here[0] == '/' && here[1] == 0);
    assert(write(ends[1], &after, sizeof after) == sizeof after && sleep(1) == 0);
    _exit(getsid(0) == after);
  }
  assert(read(ends[0], &told, sizeof told) == sizeof told);
  assert(daemon(1, 1) == 0);
  assert(getpid() - before != 5 || told - before != 3); // mark: guilty
  return 0;
}
