// Of three calls two at most fail: one way without a failure, three with one, three with two.
//@ args: --max-sys-fail 2 --sys-fail mkdir
//@ paths: 7
#include <assert.h>
#include <errno.h>
#include <sys/stat.h>

int main(void) {
  int failed = 0;
  const char *names[] = {"a", "b", "c"};
  for (int i = 0; i < 3; i++) {
    if (mkdir(names[i], 0700) == 0) continue;
    assert(errno == ENOSPC);
    failed++;
    struct stat facts;
    assert(stat(names[i], &facts) < 0 && errno == ENOENT);
  }
  assert(failed <= 2);
  return 0;
}
