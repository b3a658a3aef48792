/* Holds a lease for two seconds. A careless holder looks at the clock before it acts, and may be slow in between. */
#include "../sockets.h"

#include <time.h>

int main(void) {
  time_t expires = time(NULL) + 2;
  if (time(NULL) >= expires) return 0;
  assert(time(NULL) < expires); // mark: expired
  return 0;
}
