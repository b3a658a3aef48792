/* Writes on until a record is complete. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int fd = open("records", O_WRONLY | O_CREAT, 0600), done = 0;
  while (done < 4) done += write(fd, "abcd" + done, 4 - done);
  assert(lseek(fd, 0, SEEK_END) == 4);
  return 0;
}
