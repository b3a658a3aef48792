//@ cflags: -std=c++17
//@ opt: O0 O2
//@ findings: 1
// at() throws for the one index of four that is out of range.
#include <klee/klee.h>
#include <vector>

volatile int sink;

int main() {
  const std::vector<int> table{10, 20, 30};
  int i = klee_int("i");
  klee_assume((i >= 0) & (i <= 3));
  sink = table.at(i); // expect: bug uncaught-exception
  // expect: message contains "std::out_of_range: vector::_M_range_check: __n (which is 3)"
  return 0;
}
