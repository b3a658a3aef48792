//@ cflags: -std=c++17
// An exception passes functions with the linkage of C, in both directions.
#include <cstdio>

extern "C" {
typedef void callback(void *);

__attribute__((noinline)) void call_each(callback *const *callbacks, int count, void *argument) {
  for (int i = 0; i < count; i++)
    callbacks[i](argument);
}

__attribute__((noinline)) int checked(int value) {
  if (value > 2)
    throw value;
  return value;
}

static void count(void *argument) { ++*static_cast<int *>(argument); }

static void check(void *argument) { checked(*static_cast<int *>(argument)); }
}

int main() {
  int calls = 0;
  callback *const callbacks[] = {count, count, check, count, check, count};
  try {
    call_each(callbacks, 6, &calls);
  } catch (int value) {
    std::printf("%d after %d calls\n", value, calls);
  }
}
