/* monitor OPERATOR READINGS: reads a sensor once a second and reports when it is done; at a value that it does not like
 * it waits for a command, however long that takes. */
#include <arpa/inet.h>
#include <assert.h>
#include <klee/klee.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LIMIT = 200 };

int main(int argc, char **argv) {
  assert(argc == 3);
  static unsigned char record[16 * 1024];
  struct sockaddr_in operator = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(inet_pton(AF_INET, argv[1], &operator.sin_addr) == 1);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(connect(fd, (struct sockaddr *)&operator, sizeof operator) == 0);
  int readings = atoi(argv[2]);
  for (int i = 0; i < readings; i++) {
    unsigned char value;
    klee_make_symbolic(&value, sizeof value, "value");
    memset(record, i, sizeof record);
    if (value > LIMIT) {
      char command;
      assert(recv(fd, &command, sizeof command, 0) == sizeof command);
    }
    sleep(1);
  }
  assert(send(fd, "d", 1, 0) == 1);
  return 0;
}
