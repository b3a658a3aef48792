//@ paths: 2
// everett_symbolic makes a whole variable symbolic under its own name.
#include <everett.h>

volatile int hits;

int main(void) {
  struct { int a[3]; } record;
  everett_symbolic(record);
  if (record.a[2] == 12345)
    hits++;
  return 0;
}
