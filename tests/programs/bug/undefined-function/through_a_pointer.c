// The address of an undefined function may be taken; calling it is the finding.
int nowhere_defined(int);

int (*volatile callback)(int) = nowhere_defined;
volatile int sink;

int main(void) {
  sink = callback != 0;
  sink = callback(1); // expect: bug undefined-function
  // expect: message contains "nowhere_defined"
  return 0;
}
