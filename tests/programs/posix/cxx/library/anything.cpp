//@ cflags: -std=c++17
//@ args: --check leaks
// std::any holds and copies values of any type, small and large, and gives them to their own type only.
#include <any>
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <typeinfo>

static int alive;

struct Large {
  std::array<long, 20> numbers{};
  Large() { alive++; }
  Large(const Large &other) : numbers(other.numbers) { alive++; }
  ~Large() { alive--; }
};

int main() {
  std::any value = 5;
  std::any_cast<int &>(value)++;
  std::printf("%d %d\n", std::any_cast<int>(value), value.type() == typeid(int));
  value = Large();
  std::any copy = value;
  std::any_cast<Large>(&copy)->numbers[19] = 7;
  std::printf("%ld %ld, %d alive\n", std::any_cast<Large &>(value).numbers[19],
              std::any_cast<Large &>(copy).numbers[19], alive);
  std::any moved = std::move(copy);
  std::printf("%d %d, %d alive\n", moved.has_value(), std::any_cast<long>(&moved) == nullptr, alive);
  moved.emplace<std::string>(3, 'x');
  value.reset();
  std::printf("%s %d, %d alive\n", std::any_cast<std::string>(moved).c_str(), value.has_value(), alive);
  std::map<std::string, std::any> mixed{{"number", 1.5}, {"text", std::string("t")}, {"large", Large()}};
  for (auto &[name, any] : mixed)
    std::printf("%s %d ", name.c_str(), any.type() == typeid(double));
  std::swap(mixed["text"], mixed["large"]);
  std::printf("%s\n", std::any_cast<std::string>(mixed["large"]).c_str());
  mixed.clear();
  std::printf("%d alive\n", alive);
}
