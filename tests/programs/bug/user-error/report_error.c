//@ paths: 1
// klee_report_error ends the path with the program's own message.
#include <klee/klee.h>

int main(void) {
  if (klee_int("state") == 13)
    klee_report_error(__FILE__, __LINE__, "state thirteen is forbidden", "state.err"); // expect: bug user-error
  // expect: message contains "state thirteen is forbidden"
  return 0;
}
