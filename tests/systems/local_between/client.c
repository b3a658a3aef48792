/* Orders up to two things from a server, by a UNIX socket that leads to another node. */
#include <errno.h>
#include <klee/klee.h>
#include <sys/stat.h>

#include "local.h"

int main(void) {
  struct stat status;
  assert(stat("/run/shop.sock", &status) == 0 && S_ISSOCK(status.st_mode));
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect_locally(fd, "/run/nobody.sock") == -1 && errno == ECONNREFUSED);
  assert(connect_locally(fd, "/run/shop.sock") == 0);
  unsigned char count, answer;
  klee_make_symbolic(&count, sizeof count, "count");
  klee_assume(count <= 2);
  write_all(fd, &count, 1);
  assert(read_all(fd, &answer, 1) == 1);
  assert(answer == count);
  assert(read_all(fd, &answer, 1) == 0);
  return 0;
}
