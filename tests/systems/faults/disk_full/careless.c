/* Keeps the old version of a file beside the new one. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

static char page[4096];

int main(void) {
  const char *names[2] = {"old", "new"};
  for (int i = 0; i < 2; i++) {
    int file = open(names[i], O_WRONLY | O_CREAT, 0600);
    assert(write(file, page, sizeof page) == sizeof page); // mark: guilty
    assert(close(file) == 0);
  }
  return 0;
}
