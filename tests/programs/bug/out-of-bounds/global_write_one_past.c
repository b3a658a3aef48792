// Writing one past a global array does not reach the global that follows it.
int table[5], neighbour = 7;
volatile int i = 5;

int main(void) {
  table[i] = 1; // expect: bug out-of-bounds
  return neighbour;
}
