//@ cflags: -std=c++17
//@ opt: O0 O2
// Containers and strings check the indices of at() and the positions of their functions.
#include <array>
#include <bitset>
#include <cstdio>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

volatile unsigned index = 3;

template <class Call> static void attempt(const char *name, Call call) {
  for (int i = 0; i < 2; i++) {
    try {
      std::printf("%s: %d\n", name, (int)call(index - 1 + i));
    } catch (const std::out_of_range &error) {
      std::printf("%s: %s\n", name, error.what());
    }
  }
}

int main() {
  const std::vector<int> vector{1, 2, 3};
  std::array<int, 3> array{4, 5, 6};
  std::deque<int> deque{7, 8, 9};
  std::map<unsigned, int> map{{2, 20}};
  std::unordered_map<unsigned, int> table{{2, 200}};
  std::string string = "abc";
  std::string_view view = string;
  std::bitset<3> bits(5);
  attempt("vector", [&](unsigned i) { return vector.at(i); });
  attempt("array", [&](unsigned i) { return array.at(i); });
  attempt("deque", [&](unsigned i) { return deque.at(i); });
  attempt("map", [&](unsigned i) { return map.at(i); });
  attempt("unordered_map", [&](unsigned i) { return table.at(i); });
  attempt("string", [&](unsigned i) { return string.at(i); });
  attempt("substr", [&](unsigned i) { return string.substr(i + 1).size(); });
  attempt("erase", [&](unsigned i) { return string.erase(i + 1).size(); });
  attempt("view", [&](unsigned i) { return view.substr(i + 1).size(); });
  attempt("bitset", [&](unsigned i) { return bits.test(i); });
}
