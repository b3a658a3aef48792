//@ cflags: -std=c++17
//@ opt: O0 O2
// An exception leaves 300 frames, in each third of which an object is destroyed.
#include <cstdio>

static long destroyed, order;

struct Counted {
  int depth;
  ~Counted() {
    destroyed++;
    order = order * 31 % 1000003 + depth;
  }
};

__attribute__((noinline)) static int plain(int depth);

__attribute__((noinline)) static int guarded(int depth) {
  Counted counted{depth};
  return plain(depth - 1) + counted.depth;
}

__attribute__((noinline)) static int plain(int depth) {
  if (depth == 0)
    throw depth;
  return (depth % 3 ? plain(depth - 1) : guarded(depth)) + 1;
}

volatile int depth = 300;

int main() {
  try {
    std::printf("%d\n", plain(depth));
  } catch (int) {
    std::printf("%ld destroyed, order %ld\n", destroyed, order);
  }
}
