/* Gets the report of a job. Without arguments, it only checks that the status is the one that the job had;
   with one, it also expects that no job ends with that status. */
#include "../sockets.h"

int main(int argc, char **argv) {
  unsigned char report[2];
  int fd = bound(SOCK_DGRAM, 7000);
  assert(recv(fd, report, sizeof report, 0) == sizeof report);
  assert(report[0] == report[1]);
  if (argc > 1)
    assert(report[0] != atoi(argv[1])); // mark: status
  return 0;
}
