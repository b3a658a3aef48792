/* Keeps the old version of a file beside the new one, unless there is no room for it. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static char page[4096];

int main(void) {
  const char *names[2] = {"old", "new"};
  for (int i = 0; i < 2; i++) {
    int file = open(names[i], O_WRONLY | O_CREAT, 0600);
    ssize_t written = write(file, page, sizeof page);
    if (written < 0) {
      assert(errno == ENOSPC && i == 1 && unlink("old") == 0);
      written = write(file, page, sizeof page);
    }
    assert(written == sizeof page && close(file) == 0);
  }
  return 0;
}
