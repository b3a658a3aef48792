// An undefined variable is a finding where it is accessed, and nowhere else.
//@ findings: 4
//@ paths: 1
#include <klee/klee.h>
#include <string.h>

extern int nowhere_defined;
extern int table_nowhere[10];
extern _Thread_local int local_nowhere;
extern char last_byte_of_the_program;

volatile int sink;
void *volatile address;

int main(void) {
  char copy[4];
  address = &nowhere_defined;
  address = &last_byte_of_the_program;
  int which = klee_int("which");
  switch (which) {
  case 0:
    sink = nowhere_defined; // expect: bug undefined-variable
    // expect: message contains "access to undefined variable 'nowhere_defined'; link the module that defines it"
    return 1;
  case 1:
    table_nowhere[sink] = 1; // expect: bug undefined-variable
    return 1;
  case 2:
    local_nowhere++; // expect: bug undefined-variable
    return 1;
  case 3:
    memcpy(copy, &nowhere_defined, sizeof copy); // expect: bug undefined-variable
    sink = copy[0];
    return 1;
  }
  return 0;
}
