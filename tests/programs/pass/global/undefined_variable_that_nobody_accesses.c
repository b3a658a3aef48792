// A variable that no module defines harms nobody as long as nobody accesses it.
#include <assert.h>

extern int nowhere_defined;
extern char nowhere_table[];

int *volatile place = &nowhere_defined;
volatile int no;

int main(void) {
  assert(place == &nowhere_defined && place);
  assert((void *)nowhere_table != (void *)place);
  if (no)
    return nowhere_defined;
  return 0;
}
