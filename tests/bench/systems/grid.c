/* node I WIDTH MODE: node I (from 1) of a grid. Once a second, ten times, the node at the bottom right sends a packet to
 * the one at the top left, along a staircase of nodes that forward it. A transmission reaches all neighbours of its sender:
 * it is sent to each of them, with the intended receiver inside, and the others overhear it. A node on the staircase or
 * beside it may lose a packet, which is what is symbolic: the first packet that it hears (MODE "each"), or the first that
 * the source has sent (MODE "first"). */
#include <assert.h>
#include <klee/klee.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { PACKETS = 10, PORT = 7000 };

struct packet {
  int number;
  int receiver;
};

static int width, self, fd, forwarded, delivered;
static bool first_only, decided;

static int row(int node) { return node / width; }
static int column(int node) { return node % width; }
static int sink(void) { return 0; }
static int source(void) { return width * width - 1; }

/* The staircase: the diagonal, and the node at the left of each of its nodes. */
static bool on_route(int node) { return column(node) == row(node) || column(node) + 1 == row(node); }

static int next_hop(int node) { return column(node) == row(node) ? node - 1 : node - width; }

static int neighbours(int node, int list[4]) {
  int count = 0;
  if (row(node) > 0)
    list[count++] = node - width;
  if (column(node) > 0)
    list[count++] = node - 1;
  if (column(node) + 1 < width)
    list[count++] = node + 1;
  if (row(node) + 1 < width)
    list[count++] = node + width;
  return count;
}

static bool near_route(int node) {
  int list[4], count = neighbours(node, list);
  for (int i = 0; i < count; i++)
    if (on_route(list[i]))
      return true;
  return on_route(node);
}

static void transmit(int number) {
  struct packet packet = {.number = number, .receiver = next_hop(self)};
  int list[4], count = neighbours(self, list);
  for (int i = 0; i < count; i++) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    to.sin_addr.s_addr = htonl(0x0a000001 + list[i]);
    assert(sendto(fd, &packet, sizeof packet, 0, (struct sockaddr *)&to, sizeof to) == sizeof packet);
  }
}

static bool lost(const struct packet *packet) {
  bool first = !first_only || packet->number == 0;
  if (decided || !first || !near_route(self))
    return false;
  decided = true;
  char drop;
  klee_make_symbolic(&drop, sizeof drop, "drop");
  return drop != 0;
}

static void receive(void) {
  struct packet packet;
  assert(recv(fd, &packet, sizeof packet, 0) == sizeof packet);
  if (lost(&packet) || packet.receiver != self)
    return;
  if (self == sink()) {
    assert(packet.number >= delivered);
    delivered++;
  } else {
    forwarded++;
    transmit(packet.number);
  }
}

static long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Receives until a time has come. */
static void receive_until(long end) {
  for (;;) {
    long left = end - milliseconds();
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int count = poll(&ready, 1, left > 0 ? left : 0);
    if (count == 0)
      return;
    receive();
  }
}

int main(int argc, char **argv) {
  assert(argc == 4);
  self = atoi(argv[1]) - 1;
  width = atoi(argv[2]);
  first_only = strcmp(argv[3], "first") == 0;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
  fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
  long start = milliseconds();
  for (int number = 0; number < PACKETS; number++) {
    receive_until(start + 1000 * (number + 1));
    if (self == source())
      transmit(number);
  }
  receive_until(start + 1000 * (PACKETS + 1));
  return 0;
}
