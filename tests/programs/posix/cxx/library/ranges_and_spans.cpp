//@ cflags: -std=c++20
//@ opt: O0 O2
// Views compute what is asked for, spans share memory, and defaulted comparisons go member by member.
#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <concepts>
#include <cstdio>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <vector>

struct Version {
  int major, minor;
  std::string name;
  auto operator<=>(const Version &) const = default;
};

template <std::integral Number> static Number total(std::span<const Number> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), Number());
}

int main() {
  std::vector<int> numbers(20);
  std::iota(numbers.begin(), numbers.end(), 1);
  auto squares = numbers | std::views::filter([](int n) { return n % 3 == 0; }) |
                 std::views::transform([](int n) { return n * n; });
  auto chosen = squares | std::views::drop(1) | std::views::take(4);
  for (int number : chosen)
    std::printf("%d ", number);
  for (int number : std::views::iota(5) | std::views::take_while([](int n) { return n < 8; }))
    std::printf("%d ", number);
  for (char letter : std::string("abc") | std::views::reverse)
    std::printf("%c ", letter);
  std::puts("");
  std::vector<Version> versions{{1, 10, "b"}, {1, 2, "c"}, {0, 9, "a"}, {1, 2, "a"}};
  std::ranges::sort(versions);
  for (const auto &[major, minor, name] : versions)
    std::printf("%d.%d%s ", major, minor, name.c_str());
  std::ranges::sort(versions, std::greater{}, &Version::name);
  std::printf("%s %d\n", versions[0].name.c_str(), std::is_gt(versions[0] <=> versions[1]));
  std::span<const int> view(numbers);
  std::printf("%d %d %zu\n", total(view.subspan(5, 3)), total(view.last(2)), view.first<4>().size_bytes());
  std::printf("%d %d %d\n", (1.0 <=> 2.0) < 0, std::popcount(0xffu), std::countl_zero(1u));
  std::printf("%u\n", std::bit_ceil(33u));
  std::printf("%d\n", *std::ranges::find_if(numbers, [](int n) { return n > 7; }));
}
