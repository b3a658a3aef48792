/* Sends an event with its number, and, if asked to, a second one. */
#include <netklee.h>

#include "../sockets.h"

int main(int argc, char **argv) {
  int number = atoi(argv[1]), count = argc > 2 ? atoi(argv[2]) : 1;
  uint32_t receiver = address_of("receiver", 0).sin_addr.s_addr;
  for (int i = 0; i < count; i++) {
    struct net_event event = {net_event_type_data, 0, 0, receiver, 0, 7, number, i};
    assert(klee_net_event_put(&event, NULL) == 0);
  }
  return 0;
}
