// A call of a function that no module defines.
int nowhere_defined(int);

volatile int sink;

int main(void) {
  sink = nowhere_defined(3); // expect: bug undefined-function
  // expect: message contains "nowhere_defined"
  return 0;
}
