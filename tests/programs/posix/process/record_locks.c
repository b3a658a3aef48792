// Record locks between processes: EAGAIN, F_GETLK, ranges, fork does not inherit, close releases.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd;

static struct flock range(short type, off_t start, off_t length) {
  return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
}

static const char *set(short type, off_t start, off_t length) {
  struct flock lock = range(type, start, length);
  if (fcntl(fd, F_SETLK, &lock) == 0)
    return "ok";
  return errno == EAGAIN || errno == EACCES ? "EAGAIN"
         : errno == EBADF                   ? "EBADF"
         : errno == EINVAL                  ? "EINVAL"
                                            : "other";
}

static void get(short type, off_t start, off_t length, pid_t owner) {
  struct flock lock = range(type, start, length);
  printf("get: %d ", fcntl(fd, F_GETLK, &lock));
  if (lock.l_type == F_UNLCK)
    printf("free\n");
  else
    printf("%s %ld %ld, owner %d\n", lock.l_type == F_RDLCK ? "read" : "write", (long)lock.l_start,
           (long)lock.l_len, lock.l_pid == owner);
}

static void in_child(void) {
  pid_t parent = getppid();
  printf("child: write 0 %s\n", set(F_WRLCK, 0, 10));
  printf("child: read 0 %s\n", set(F_RDLCK, 5, 1));
  printf("child: write behind %s\n", set(F_WRLCK, 10, 10));
  printf("child: read 100 %s\n", set(F_RDLCK, 100, 5));
  printf("child: write 100 %s\n", set(F_WRLCK, 100, 5));
  printf("child: to the end %s\n", set(F_WRLCK, 1000, 0));
  get(F_WRLCK, 0, 0, parent);
  get(F_RDLCK, 100, 5, parent);
  get(F_WRLCK, 103, 50, parent);
  printf("child: unlock the parent's %s\n", set(F_UNLCK, 0, 10));
  printf("child: still %s\n", set(F_WRLCK, 0, 10));
  fflush(stdout);
}

int main(void) {
  fd = open("locked", O_RDWR | O_CREAT | O_TRUNC, 0600);
  printf("%s %s\n", set(F_WRLCK, 0, 10), set(F_RDLCK, 100, 10));
  get(F_WRLCK, 0, 10, 0);
  fflush(stdout);
  int go[2];
  char byte = 'x';
  if (pipe(go))
    return 1;
  pid_t child = fork();
  if (child == 0) {
    in_child();
    int other = open("locked", O_RDONLY);
    close(other);
    _exit(set(F_WRLCK, 5000, 1)[0] == 'o' ? 0 : 1);
  }
  waitpid(child, NULL, 0);
  printf("after its end: %s\n", set(F_WRLCK, 0, 0));
  fflush(stdout);
  if ((child = fork()) == 0) {
    close(go[1]);
    if (read(go[0], &byte, 1) != 1)
      _exit(1);
    printf("closing any descriptor released: %s\n", set(F_WRLCK, 0, 0));
    fflush(stdout);
    _exit(0);
  }
  close(open("locked", O_RDONLY));
  if (write(go[1], &byte, 1) != 1)
    return 1;
  waitpid(child, NULL, 0);
  close(fd);
  fd = open("locked", O_RDONLY);
  printf("write lock, read only: %s\n", set(F_WRLCK, 0, 1));
  printf("read lock, read only: %s\n", set(F_RDLCK, 0, 1));
  printf("negative start: %s\n", set(F_RDLCK, -5, 1));
  printf("unknown type: %s\n", set(77, 0, 1));
  unlink("locked");
  return 0;
}
