//@ cflags: -std=c++17
// An exception that a handler throws goes to the blocks around it; the handled one is destroyed on the way.
#include <cstdio>

struct Loud {
  int id;
  explicit Loud(int id) : id(id) {}
  Loud(const Loud &other) : id(other.id) { std::printf("copy of %d\n", id); }
  ~Loud() { std::printf("end of %d\n", id); }
};

volatile int id = 1;

int main() {
  try {
    try {
      throw Loud(id);
    } catch (const Loud &first) {
      std::printf("handles %d\n", first.id);
      try {
        throw Loud(first.id + 1);
      } catch (const Loud &second) {
        std::printf("handles %d in the handler of %d\n", second.id, first.id);
        throw Loud(first.id + second.id);
      }
    } catch (...) {
      std::puts("a handler of the same block does not see it");
    }
  } catch (const Loud &third) {
    std::printf("handles %d\n", third.id);
  }
  std::puts("done");
}
