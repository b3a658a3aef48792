//@ cflags: -std=c++17
// Exceptions may be large, and need an alignment of their own.
#include <cstdint>
#include <cstdio>
#include <cstring>

struct Large {
  unsigned char bytes[20000];
};

struct alignas(16) Aligned {
  long double value;
  char rest[40];
};

volatile int fill = 0x5a;

static void raise(bool large) {
  if (large) {
    Large object;
    std::memset(object.bytes, fill, sizeof object.bytes);
    object.bytes[12345] = 1;
    throw object;
  }
  throw Aligned{2.25L, "aligned"};
}

int main() {
  try {
    raise(true);
  } catch (const Large &large) {
    std::printf("%d %d %d\n", large.bytes[0], large.bytes[12345], large.bytes[19999]);
  }
  try {
    raise(false);
  } catch (const Aligned &aligned) {
    std::printf("%d %d %s\n", (int)((std::uintptr_t)&aligned % 16), (int)(aligned.value * 4), aligned.rest);
  }
}
