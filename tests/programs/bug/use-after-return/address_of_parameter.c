// The address of a parameter outlives its call.
struct point { long x, y, z; };

struct point *volatile kept;
volatile long sink;

__attribute__((noinline)) void keep(struct point p) { kept = &p; }

int main(void) {
  struct point p = {1, 2, 3};
  keep(p);
  sink = kept->y; // expect: bug use-after-return
  return 0;
}
