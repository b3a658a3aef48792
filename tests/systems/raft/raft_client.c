/* Proposes commands to a Raft cluster, one after the other, and asks one node after the other until somebody says
 * that the command is committed. Arguments: the number of nodes, and the commands. */
#include "raft.h"

enum { FIRST = 1000, TIMEOUT = 700, ATTEMPTS = 8 };

static int fd, node = 1, nodes;

/* Sends a command to the node that is believed to lead. */
static int is_committed(int command) {
  struct sockaddr_in peer = address_of_node(node), from;
  struct message message = {.kind = PROPOSE, .entries = {{0, command}}};
  long long until = now() + TIMEOUT;
  send_message(fd, &message, &peer);
  while (receive(fd, &message, &from, until)) {
    if (message.kind == COMMITTED && message.entries[0].command == command) return 1;
    if (message.kind == NOT_LEADER && message.from == node) break;
  }
  node = node % nodes + 1;
  return 0;
}

int main(int argc, char **argv) {
  assert(argc >= 3);
  nodes = atoi(argv[1]);
  fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(fd >= 0);
  usleep(FIRST * 1000);
  for (int i = 2; i < argc; i++) {
    int command = atoi(argv[i]), attempt = 0;
    while (!is_committed(command) && ++attempt < ATTEMPTS) continue;
    printf("command %d: %s\n", command, attempt < ATTEMPTS ? "committed" : "given up");
  }
  return 0;
}
