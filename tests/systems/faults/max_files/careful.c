/* Opens a log for each of three users, and closes that of another one if there are too many. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  const char *names[3] = {"anna", "bert", "carl"};
  int logs[3], oldest = 0;
  for (int i = 0; i < 3; i++) {
    while ((logs[i] = open(names[i], O_WRONLY | O_CREAT, 0600)) < 0) {
      assert(errno == EMFILE && oldest < i);
      assert(close(logs[oldest++]) == 0);
    }
    assert(write(logs[i], "hello", 5) == 5);
  }
  assert(oldest == 1);
  return 0;
}
