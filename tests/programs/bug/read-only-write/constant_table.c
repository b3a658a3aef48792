// Writing to a constant global through a cast.
const int table[4] = {1, 2, 3, 4};
int *volatile p = (int *)table;

int main(void) {
  p[2] = 9; // expect: bug read-only-write
  return table[2];
}
