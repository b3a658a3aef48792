//@ cflags: -std=c++17
// Exceptions of functions that algorithms call come out of them; what was done before stays done.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <list>
#include <numeric>
#include <stdexcept>
#include <vector>

template <class Call> static void attempt(const char *name, Call call) {
  try {
    call();
    std::printf("%s: done\n", name);
  } catch (const std::logic_error &error) {
    std::printf("%s: %s\n", name, error.what());
  }
}

static int checked(int value) {
  if (value == 6)
    throw std::logic_error("six");
  return value;
}

int main() {
  const std::vector<int> numbers{4, 2, 6, 8};
  std::vector<int> seen;
  attempt("for_each", [&] {
    std::for_each(numbers.begin(), numbers.end(), [&](int n) { seen.push_back(checked(n)); });
  });
  attempt("transform", [&] {
    std::transform(numbers.begin(), numbers.end(), std::back_inserter(seen),
                   [](int n) { return checked(n) * 10; });
  });
  attempt("accumulate", [&] {
    auto add = [](int a, int b) { return a + checked(b); };
    seen.push_back(std::accumulate(numbers.begin(), numbers.end(), 0, add));
  });
  attempt("find_if", [&] {
    seen.push_back(*std::find_if(numbers.begin(), numbers.end(), [](int n) { return checked(n) == 2; }));
  });
  std::vector<int> sorted = numbers;
  attempt("sort", [&] {
    std::sort(sorted.begin(), sorted.end(), [](int a, int b) { return checked(a) < checked(b); });
  });
  std::list<int> list{5, 6, 1};
  attempt("remove_if", [&] { list.remove_if([](int n) { return checked(n) == 5; }); });
  attempt("generate", [&] {
    int next = 3;
    std::generate(sorted.begin(), sorted.end(), [&] { return checked(next++); });
  });
  for (int number : seen)
    std::printf("%d ", number);
  std::printf("| %zu %zu | %d %d %d\n", sorted.size(), list.size(), sorted[0], sorted[1], sorted[2]);
}
