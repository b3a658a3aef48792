// Reading through a null pointer.
int *volatile p;
volatile int sink;

int main(void) {
  sink = *p; // expect: bug null-pointer
  return 0;
}
