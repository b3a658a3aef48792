/* Pays in three times; the account never holds less than this client has paid. */
#include "../sockets.h"

int main(void) {
  int fd = connected(SOCK_STREAM, "server", 7000), paid = 0;
  for (unsigned char amount = 1; amount <= 3; amount++) {
    int now;
    write_all(fd, &amount, 1);
    paid += amount;
    assert(read_all(fd, &now, sizeof now) == sizeof now);
    assert(now >= paid);
  }
  close(fd);
  return 0;
}
