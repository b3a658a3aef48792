// flock: shared and exclusive, EWOULDBLOCK, upgrade, shared by descriptors that fork and dup made.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

static void say(const char *what, int result) {
  const char *error = errno == EWOULDBLOCK ? "EWOULDBLOCK"
                      : errno == EINVAL    ? "EINVAL"
                      : errno == EBADF     ? "EBADF"
                                           : "other";
  printf("%s: %s\n", what, result < 0 ? error : "ok");
}

int main(void) {
  int a = open("locked", O_RDWR | O_CREAT, 0600), b = open("locked", O_RDONLY), copy = dup(a);
  say("a exclusive", flock(a, LOCK_EX));
  say("b shared", flock(b, LOCK_SH | LOCK_NB));
  say("b exclusive", flock(b, LOCK_EX | LOCK_NB));
  say("copy of a shared", flock(copy, LOCK_SH | LOCK_NB));
  say("b shared", flock(b, LOCK_SH | LOCK_NB));
  say("a exclusive", flock(a, LOCK_EX | LOCK_NB));
  say("b unlock", flock(b, LOCK_UN));
  say("b unlock again", flock(b, LOCK_UN));
  say("a exclusive", flock(a, LOCK_EX | LOCK_NB));
  close(a);
  say("b, copy still open", flock(b, LOCK_EX | LOCK_NB));
  close(copy);
  say("b, all closed", flock(b, LOCK_EX | LOCK_NB));
  say("bad operation", flock(b, 0));
  say("closed", flock(a, LOCK_SH));
  unlink("locked");
  return 0;
}
