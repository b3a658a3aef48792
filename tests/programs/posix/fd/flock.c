//@ native: yes
// flock locks a whole file for one open description, shared or exclusive.
#include "../check.h"
#include <sys/file.h>

int main(void) {
  int a = OK(open("file", O_RDWR | O_CREAT, 0600)), b = OK(open("file", O_RDONLY));
  int same = OK(dup(a));
  SHOW(flock(a, LOCK_EX));
  SHOW(flock(b, LOCK_EX | LOCK_NB));
  SHOW(flock(b, LOCK_SH | LOCK_NB));
  SHOW(flock(same, LOCK_EX | LOCK_NB));
  SHOW(flock(same, LOCK_SH | LOCK_NB));
  SHOW(flock(b, LOCK_SH | LOCK_NB));
  SHOW(flock(a, LOCK_EX | LOCK_NB));
  SHOW(flock(b, LOCK_UN));
  SHOW(flock(a, LOCK_EX | LOCK_NB));
  SHOW(close(a));
  SHOW(flock(b, LOCK_EX | LOCK_NB));
  SHOW(flock(same, LOCK_UN));
  SHOW(flock(b, LOCK_EX | LOCK_NB));
  SHOW(flock(b, LOCK_UN));
  SHOW(flock(b, LOCK_UN));
  SHOW(flock(b, 0));
  SHOW(flock(minus_one, LOCK_EX));
  SHOW(flock(a, LOCK_EX));
  return close(b) | close(same);
}
