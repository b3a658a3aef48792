//@ cflags: -std=c++17
//@ opt: O0 O2
//@ args: --check leaks
// What a function takes by its owner is freed once, whether the function returns or throws.
#include <cstdio>
#include <memory>
#include <stdexcept>

volatile int values[] = {3, -1, 0};
static int freed;

struct Number {
  int value;
  ~Number() { freed++; }
};

static int consume(std::unique_ptr<Number> data) {
  if (data->value < 0)
    throw std::invalid_argument("negative");
  return data->value;
}

int main() {
  for (int value : values) {
    auto data = std::make_unique<Number>();
    data->value = value;
    try {
      std::printf("%d ", consume(std::move(data)));
    } catch (const std::invalid_argument &error) {
      std::printf("%s ", error.what());
    }
    std::printf("%d, %d freed\n", data == nullptr, freed);
  }
}
