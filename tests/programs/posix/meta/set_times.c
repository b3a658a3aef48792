//@ native: yes
// utimensat and futimens set the times of access and change to a value, to now, or not at all.
#include "../check.h"
#include <sys/time.h>
#include <time.h>
#include <utime.h>

static void show(const char *path) {
  struct stat st;
  need(lstat(path, &st) == 0, path);
  printf("%ld.%09ld %ld.%09ld\n", (long)st.st_atim.tv_sec, st.st_atim.tv_nsec, (long)st.st_mtim.tv_sec,
         st.st_mtim.tv_nsec);
}

int main(void) {
  be_ordinary_user();
  struct stat st;
  put("file", "x");
  need(symlink("file", "link") == 0, "symlink");
  struct timespec t[2] = {{1000, 123456789}, {2000, 987654321}};
  SHOW(utimensat(AT_FDCWD, "file", t, 0));
  show("file");
  t[0].tv_nsec = UTIME_OMIT;
  t[1].tv_sec = 3000;
  SHOW(utimensat(AT_FDCWD, "link", t, 0));
  show("file");
  struct timespec u[2] = {{10, 0}, {20, 0}};
  SHOW(utimensat(AT_FDCWD, "link", u, AT_SYMLINK_NOFOLLOW));
  show("link");
  show("file");
  int fd = OK(open("file", O_RDONLY));
  SHOW(futimens(fd, u));
  show("file");
  u[1].tv_nsec = UTIME_NOW;
  SHOW(futimens(fd, u));
  SHOW(fstat(fd, &st));
  long age = (long)(time(0) - st.st_mtim.tv_sec);
  IS(age >= -1 && age < 100);
  IS(st.st_atim.tv_sec == 10);
  SHOW(futimens(fd, 0));
  SHOW(fstat(fd, &st));
  age = (long)(time(0) - st.st_atim.tv_sec);
  IS(age >= -1 && age < 100);
  struct timespec bad[2] = {{1, 1000000000}, {1, 0}};
  SHOW(futimens(fd, bad));
  SHOW(futimens(minus_one, 0));
  SHOW(utimensat(AT_FDCWD, "none", 0, 0));
  SHOW(utimensat(AT_FDCWD, "", 0, 0));
  SHOW(utimensat(AT_FDCWD, "file", u, 1 << 30));
  SHOW(utimensat(AT_FDCWD, "/", u, 0));
  SHOW(utimensat(AT_FDCWD, "/", 0, 0));
  struct utimbuf old = {50, 60};
  SHOW(utime("file", &old));
  show("file");
  struct timeval v[2] = {{70, 5}, {80, 6}};
  SHOW(utimes("file", v));
  show("file");
  v[0].tv_usec = 1000000;
  SHOW(utimes("file", v));
  return close(fd);
}
