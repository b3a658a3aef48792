// Files without names: read, written, mapped, handed to a child, and sealed.
#include "../check.h"
#include <sys/mman.h>
#include <sys/wait.h>

int main(void) {
  OK(memfd_create("name", 0x100));
  int fd = memfd_create("name", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  IS(fd >= 0 && fcntl(fd, F_GETFD) == FD_CLOEXEC);
  struct stat about;
  SHOW(fstat(fd, &about));
  IS(S_ISREG(about.st_mode) && about.st_nlink == 0 && about.st_size == 0);
  SHOW(ftruncate(fd, 5000));
  SHOW(pwrite(fd, "content", 7, 4093));
  char *shared = mmap(0, 5000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  IS(shared != MAP_FAILED);
  bytes("shared", shared + 4093, 7);
  pid_t child = fork();
  if (child == 0) {
    memcpy(shared, "child", 5);
    _exit(0);
  }
  IS(waitpid(child, 0, 0) == child);
  char text[8] = "";
  SHOW(pread(fd, text, 5, 0));
  bytes("text", text, 5);

  SHOW(fcntl(fd, F_GET_SEALS));
  SHOW(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW));
  SHOW(ftruncate(fd, 4999));
  SHOW(ftruncate(fd, 5001));
  SHOW(ftruncate(fd, 5000));
  SHOW(pwrite(fd, "x", 1, 5000));
  SHOW(pwrite(fd, "x", 1, 4999));
  SHOW(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
  SHOW(munmap(shared, 5000));
  SHOW(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
  SHOW(pwrite(fd, "x", 1, 0));
  IS(mmap(0, 10, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED && errno == EPERM);
  char *own = mmap(0, 10, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  IS(own != MAP_FAILED);
  own[0] = 'C';
  bytes("own", own, 5);
  SHOW(fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL));
  SHOW(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW));
  SHOW(fcntl(fd, F_GET_SEALS));
  SHOW(close(fd));

  int plain = memfd_create("", 0);
  SHOW(fcntl(plain, F_GET_SEALS));
  SHOW(fcntl(plain, F_ADD_SEALS, F_SEAL_WRITE));
  put("file", "");
  int named = open("file", O_RDWR);
  SHOW(fcntl(named, F_GET_SEALS));
  return 0;
}
