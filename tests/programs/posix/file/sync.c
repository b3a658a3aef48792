//@ native: yes
// The calls that wait for the disk succeed on files and directories, and refuse what has no disk.
#include "../check.h"

int main(void) {
  int fd = OK(open("file", O_RDWR | O_CREAT, 0600));
  SHOW(write(fd, "text", 4));
  SHOW(fsync(fd));
  SHOW(fdatasync(fd));
  SHOW(syncfs(fd));
  SHOW(sync_file_range(fd, 0, 4, SYNC_FILE_RANGE_WRITE));
  sync();
  int dir = OK(open(".", O_RDONLY | O_DIRECTORY));
  SHOW(fsync(dir));
  int in = OK(open("file", O_RDONLY | O_SYNC));
  SHOW(fsync(in));
  SHOW(fsync(-1));
  SHOW(fdatasync(-1));
  SHOW(syncfs(-1));
  int pair[2];
  SHOW(pipe(pair));
  SHOW(fsync(pair[1]));
  SHOW(fdatasync(pair[0]));
  close(pair[0]), close(pair[1]);
  cat("file");
  return close(fd) | close(dir) | close(in);
}
