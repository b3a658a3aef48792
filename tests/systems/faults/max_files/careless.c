/* Opens a log for each of three users. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  const char *names[3] = {"anna", "bert", "carl"};
  for (int i = 0; i < 3; i++) {
    int log = open(names[i], O_WRONLY | O_CREAT, 0600);
    assert(write(log, "hello", 5) == 5); // mark: guilty
  }
  return 0;
}
