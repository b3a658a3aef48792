//@ native: no
//@ args: --sym-file /srv/some/where/data=2
//@ paths: 1
// The folders of a file that is given to the program are there, and the last one is the user's.
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  unsigned char bytes[3];
  int fd = open("/srv/some/where/data", O_RDWR);
  assert(fd >= 0 && read(fd, bytes, 3) == 2);
  struct stat folder;
  assert(stat("/srv/some/where", &folder) == 0 && folder.st_uid == getuid());
  assert(stat("/srv/some", &folder) == 0 && folder.st_uid == 0);
  assert(mkdir("/srv/some/where/else", 0700) == 0);
  return bytes[0] == bytes[1];
}
