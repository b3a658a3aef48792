//@ cflags: -std=c++17
//@ args: --check leaks
// An initialiser that throws in a constructor leaves nothing behind: no earlier member, argument or memory.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static int checked(int size) {
  if (size > 3)
    throw std::length_error("size " + std::to_string(size));
  return size;
}

class Buffer {
  std::unique_ptr<int[]> first;
  std::vector<std::string> names;
  int size;

public:
  Buffer(int count, std::string name)
      : first(new int[8]()), names(2, name + " of a buffer that has a name"), size(checked(count)) {}
  int total() const { return size + (int)names.size() + first[7]; }
};

struct Named : Buffer {
  std::string name;
  explicit Named(int count) : Buffer(count, "named"), name("a name that is too long for itself") {}
};

volatile int count = 4;

int main() {
  std::printf("%d\n", Named(3).total());
  try {
    Named named(count);
    std::puts("made");
  } catch (const std::length_error &error) {
    std::printf("%s\n", error.what());
  }
  try {
    auto named = std::make_unique<Named>(count + 1);
    std::puts("made");
  } catch (const std::exception &error) {
    std::printf("%s\n", error.what());
  }
}
