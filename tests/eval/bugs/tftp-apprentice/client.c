/* Asks for a file, and acknowledges each block that comes, also one that has come before: its acknowledgement may be
 * lost. */
#include <poll.h>

#include "../../../systems/sockets.h"

enum { BLOCKS = 3, PATIENCE_MS = 5000 };
enum { REQUEST, DATA, ACKNOWLEDGEMENT };

struct packet {
  int kind, block;
};

int main(void) {
  int fd = connected(SOCK_DGRAM, "server", 6900), received = 0;
  struct packet packet = {REQUEST, 0};
  assert(send(fd, &packet, sizeof packet, 0) == sizeof packet);
  struct pollfd ready = {.fd = fd, .events = POLLIN};
  while (poll(&ready, 1, PATIENCE_MS) == 1) {
    if (recv(fd, &packet, sizeof packet, 0) != sizeof packet || packet.kind != DATA) break;
    if (packet.block > received + 1) continue;
    if (packet.block == received + 1) received++;
    packet.kind = ACKNOWLEDGEMENT;
    send(fd, &packet, sizeof packet, 0);
  }
  printf("%d of %d blocks\n", received, BLOCKS);
  close(fd);
  return 0;
}
