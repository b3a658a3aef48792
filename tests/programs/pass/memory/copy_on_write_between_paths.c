//@ opt: O0
//@ paths: 8
// Paths that forked write to the same object without seeing each other's writes.
#include <assert.h>
#include <klee/klee.h>

char log_[4096];

int main(void) {
  unsigned char bits = 0;
  klee_make_symbolic(&bits, sizeof bits, "bits");
  klee_assume(bits < 8);
  int written = 0;
  for (int i = 0; i < 3; i++)
    if (bits >> i & 1)
      log_[i * 1000] = 1, written++;
  int seen = 0;
  for (unsigned i = 0; i < sizeof log_; i++)
    seen += log_[i];
  assert(seen == written);
  return 0;
}
