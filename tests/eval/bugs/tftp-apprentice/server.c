/* Sends a file as TFTP does: a block at a time, and the next one when the last one is acknowledged. What is not
 * acknowledged in time is sent again. */
#include <poll.h>

#include "../../../systems/sockets.h"

enum { BLOCKS = 3, PATIENCE_MS = 1000, TRIES = 3 };
enum { REQUEST, DATA, ACKNOWLEDGEMENT };

struct packet {
  int kind, block;
};

static int fd;
static struct sockaddr_in client;

/* How often a block was sent, and how often it had to be sent again because nothing came. */
static int sent[BLOCKS + 1], timeouts[BLOCKS + 1];

static void send_block(int block) {
  struct packet packet = {DATA, block};
  sendto(fd, &packet, sizeof packet, 0, (struct sockaddr *)&client, sizeof client);
  sent[block]++;
  assert(sent[block] <= 1 + timeouts[block] && "a block is sent again, and nobody misses it");
}

/* Sends the whole file. Gives up when nothing comes several times in a row. */
static void send_file(void) {
  int block = 1, silence = 0;
  send_block(block);
  while (silence < TRIES) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    struct packet packet;
    if (poll(&ready, 1, PATIENCE_MS) == 0) {
      silence++;
      timeouts[block]++;
      send_block(block);
      continue;
    }
    silence = 0;
    if (recv(fd, &packet, sizeof packet, 0) != sizeof packet || packet.kind != ACKNOWLEDGEMENT) continue;
#ifdef REPAIRED
    if (packet.block != block) continue; /* of a block that was acknowledged before */
#else
    if (packet.block < 1 || packet.block > block) continue;
#endif
    if (packet.block == BLOCKS) return;
    block = packet.block + 1;
    send_block(block);
  }
}

int main(void) {
  struct packet request;
  socklen_t size = sizeof client;
  fd = bound(SOCK_DGRAM, 6900);
  assert(recvfrom(fd, &request, sizeof request, 0, (struct sockaddr *)&client, &size) == sizeof request);
  if (request.kind == REQUEST) send_file();
  close(fd);
  return 0;
}
