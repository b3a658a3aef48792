// A shared anonymous mapping is one memory for parent, child and grandchild; so is a shared file's.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int fd = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600), status;
  if (ftruncate(fd, 4096))
    return 1;
  int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char *file = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  char *private = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  printf("%d\n", shared[0]);
  shared[0] = 1;
  strcpy(file + 100, "parent");
  fflush(stdout);
  if (fork() == 0) {
    shared[1] = shared[0] + 1;
    private[0] = 'p';
    if (fork() == 0) {
      shared[2] = shared[1] + 1;
      strcpy(file + 200, "grandchild");
      _exit(0);
    }
    wait(NULL);
    shared[3] = shared[2] + 1;
    file[100] = 'P';
    munmap(shared, 4096);
    _exit(0);
  }
  wait(&status);
  printf("%d %d %d %d\n", shared[0], shared[1], shared[2], shared[3]);
  printf("%s %s %d\n", file + 100, file + 200, private[0]);
  char text[16] = "";
  printf("%zd\n", pread(fd, text, 15, 100));
  printf("%s\n", text);
  munmap(file, 4096);
  munmap(private, 4096);
  unlink("mapped");
  return 0;
}
