//@ paths: 1
// A packet whose length field exceeds its payload.
#include <klee/klee.h>
#include <string.h>

struct packet { unsigned char length; char payload[7]; } packet;
char out[255];

int main(void) {
  klee_make_symbolic(&packet, sizeof packet, "packet");
  klee_assume((packet.length == 7) | (packet.length == 200));
  unsigned n = packet.length;
  memcpy(out, packet.payload, n); // expect: bug out-of-bounds
  return 0;
}
