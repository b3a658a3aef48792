/* member COORDINATOR: votes as a symbolic input says, and does what it is told. */
#include <arpa/inet.h>
#include <assert.h>
#include <everett.h>
#include <netinet/in.h>
#include <sys/socket.h>

int main(int argc, char **argv) {
  struct sockaddr_in coordinator = {.sin_family = AF_INET, .sin_port = htons(5000)};
  assert(inet_pton(AF_INET, argv[argc - 1], &coordinator.sin_addr) == 1);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(connect(fd, (struct sockaddr *)&coordinator, sizeof coordinator) == 0);
  char willing, told;
  klee_make_symbolic(&willing, 1, "willing");
  if (willing)
    assert(send(fd, "y", 1, 0) == 1);
  else
    assert(send(fd, "n", 1, 0) == 1);
  assert(recv(fd, &told, 1, 0) == 1);
  int commit = 0;
  if (told == 'c') commit = 1;
  everett_expose(1, "decision", commit);
  return 0;
}
