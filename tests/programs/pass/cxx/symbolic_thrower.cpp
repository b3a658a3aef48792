//@ native: yes
//@ cflags: -std=c++17
//@ opt: O0 O2
//@ paths: 5
// One of five functions, chosen by a symbolic index, throws or not; each exception finds its own handler.
#include <klee/klee.h>
#include <stdexcept>
#include <stdio.h>

struct Left {
  int left = 1;
};
struct Right {
  int right = 2;
};
struct Both : Left, Right {};

static void number() { throw 42; }
static void both() { throw Both(); }
static void library() { throw std::out_of_range("range"); }
static void pointer() { throw "text"; }
static void nothing() { puts("nothing"); }

typedef void thrower();
static thrower *const throwers[] = {number, both, library, pointer, nothing};

int main() {
  int which = klee_range(0, 5, "which");
  try {
    throwers[which]();
    klee_assert(which == 4);
  } catch (const Right &right) {
    printf("right: %d\n", right.right);
    klee_assert(which == 1);
  } catch (int value) {
    printf("number: %d\n", value);
    klee_assert(which == 0);
  } catch (const std::exception &error) {
    printf("exception: %s\n", error.what());
    klee_assert(which == 2);
  } catch (...) {
    puts("anything");
    klee_assert(which == 3);
  }
  return 0;
}
