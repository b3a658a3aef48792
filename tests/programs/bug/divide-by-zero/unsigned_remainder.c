// Unsigned remainder by zero, as in a hash table of size zero.
volatile unsigned buckets = 0, hash = 12345, sink;

int main(void) {
  sink = hash % buckets; // expect: bug divide-by-zero
  return 0;
}
