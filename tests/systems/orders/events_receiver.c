/* Takes so many events: all at once, or one after the other. Those of one sender come in the order in which it has
   sent them. */
#include <netklee.h>

#include "../sockets.h"

enum { MOST = 8 };

int main(int argc, char **argv) {
  int count = atoi(argv[1]), at_once = strcmp(argv[2], "all") == 0, next[MOST] = {0};
  struct net_event mask = {.type = net_event_type_data, .to_port = 7}, events[MOST];
  for (int seen = 0; seen < count;) {
    int wanted = at_once ? count : 1;
    assert(klee_net_will_get_events(&mask, 1, wanted, 0, 0) >= wanted);
    assert(klee_net_events_get(events, wanted, &mask, 1) == wanted);
    for (int i = 0; i < wanted; i++, seen++) {
      assert((int)events[i].con_id == next[events[i].req_id]++);
      assert(klee_net_event_remove(events[i].identifier) == 0);
    }
  }
  return argc - 3;
}
