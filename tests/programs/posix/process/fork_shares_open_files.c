// Descriptors are inherited and share offset and status flags with the parent; the table is a copy.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int status, fd = open("shared", O_RDWR | O_CREAT | O_TRUNC, 0600), other = open("shared", O_RDONLY);
  if (write(fd, "abcdefghij", 10) != 10)
    return 1;
  lseek(fd, 2, SEEK_SET);
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child == 0) {
    char data[3];
    int ok = read(fd, data, 3) == 3 && data[0] == 'c' && lseek(other, 0, SEEK_CUR) == 0;
    ok &= fcntl(fd, F_GETFD) == FD_CLOEXEC;
    fcntl(fd, F_SETFD, 0);
    fcntl(fd, F_SETFL, O_APPEND);
    close(other);
    int mine = open("shared", O_RDONLY);
    ok &= mine == other;
    lseek(mine, 7, SEEK_SET);
    _exit(ok);
  }
  waitpid(child, &status, 0);
  printf("child ok %d\n", WEXITSTATUS(status));
  printf("offset %ld, other %ld\n", (long)lseek(fd, 0, SEEK_CUR), (long)lseek(other, 0, SEEK_CUR));
  printf("append %d, cloexec %d\n", (fcntl(fd, F_GETFL) & O_APPEND) != 0, fcntl(fd, F_GETFD));
  printf("%zd\n", write(fd, "Z", 1));
  printf("end %ld\n", (long)lseek(fd, 0, SEEK_END));
  fflush(stdout);
  if ((child = fork()) == 0) {
    close(fd);
    _exit(write(fd, "x", 1) < 0 && errno == EBADF ? 5 : 6);
  }
  waitpid(child, &status, 0);
  printf("%d\n", WEXITSTATUS(status));
  printf("%zd\n", write(fd, "Y", 1));
  unlink("shared");
  return 0;
}
