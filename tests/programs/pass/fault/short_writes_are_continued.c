// A write to a file is short in two ways, or not at all. A pipe takes up to 4096 bytes whole.
//@ args: --short-writes 2
//@ paths: 5
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

// With two short writes left: 5; or 1 and then 4, 1+3, 3+1; or 4 and then 1.
int main(void) {
  int fd = open("file", O_RDWR | O_CREAT, 0600), ends[2];
  size_t done = 0;
  while (done < 5) {
    ssize_t more = write(fd, "hello" + done, 5 - done);
    assert(more > 0);
    done += more;
  }
  assert(lseek(fd, 0, SEEK_CUR) == 5);
  assert(pipe(ends) == 0 && write(ends[1], "hello", 5) == 5);
  return 0;
}
