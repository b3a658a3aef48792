// What is sent with an event is a whole object, so its data begins where an object does.
//@ findings: 1
#include <netklee.h>

char buffer[16];

int main(void) {
  struct net_event event = {.type = net_event_type_data, .to_ip = klee_net_make_ipv4(127, 0, 0, 1)};
  klee_net_event_put(&event, buffer);
  klee_net_event_put(&event, buffer + 4); // expect: bug user-error
  // expect: message contains "4 bytes behind the beginning of one of 16 bytes"
  return 0;
}
