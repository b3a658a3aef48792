/* A host that does nothing: its kernel answers. */
#include "ping.h"

int main(void) {
  return 0;
}
