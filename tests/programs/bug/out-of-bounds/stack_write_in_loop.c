//@ opt: O0 O1
// A loop that runs once too often writes past a local array.
volatile int limit = 8;

__attribute__((noinline)) int sum(const int *v) { return v[0] + v[7]; }

int main(void) {
  int a[8];
  for (int i = 0; i <= limit; i++)
    a[i] = i; // expect: bug out-of-bounds
  return sum(a);
}
