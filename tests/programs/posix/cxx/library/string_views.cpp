//@ cflags: -std=c++17
// A string_view is a part of a text that is searched, compared, cut and hashed without a copy.
#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

using namespace std::string_view_literals;

// The next word of a text, which is taken off it.
static std::string_view next_word(std::string_view &text) {
  text.remove_prefix(std::min(text.find_first_not_of(" ,."), text.size()));
  std::size_t end = std::min(text.find_first_of(" ,."), text.size());
  std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

int main() {
  const std::string text = "the cat, the dog and the bird. The end";
  std::unordered_map<std::string_view, int> counts;
  std::string_view rest = text;
  for (std::string_view word; !(word = next_word(rest)).empty();)
    counts[word]++;
  std::cout << counts["the"] << counts["The"] << ' ' << counts.size() << '\n';
  std::set<std::string, std::less<>> names{"Ada", "Carl"};
  std::cout << names.count("Carl"sv) << (names.find("Emmy"sv) == names.end()) << '\n';
  std::string_view view = "with\0zero"sv;
  std::cout << view.size() << ' ' << view.find('\0') << ' ' << view.rfind('z') << ' '
            << view.compare("with") << '\n';
  std::cout << ("abc"sv < "abd"sv) << ("ab"sv == std::string("ab")) << ' ' << "abcabc"sv.find("ca") << ' '
            << ("x"sv.find("longer") == std::string_view::npos) << ' ' << view.substr(5) << '\n';
  char copy[4] = {};
  std::cout << view.copy(copy, 3, 1) << copy << ' ';
  std::cout << std::string("a").append("bcd"sv, 1, 2) << ' ' << view.front() << view.back() << '\n';
  std::cout << (std::hash<std::string_view>()(text) == std::hash<std::string>()(text)) << '\n';
}
