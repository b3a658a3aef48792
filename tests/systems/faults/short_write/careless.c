/* Expects a record to be written at once. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int fd = open("records", O_WRONLY | O_CREAT, 0600);
  assert(write(fd, "abcd", 4) == 4); // mark: guilty
  return 0;
}
