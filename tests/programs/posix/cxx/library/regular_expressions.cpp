//@ cflags: -std=c++17
// Regular expressions match, search and replace, with groups, classes and what is not greedy.
#include <cstdio>
#include <iterator>
#include <regex>
#include <string>

static void match(const char *pattern, const std::string &text) {
  std::smatch found;
  if (!std::regex_match(text, found, std::regex(pattern))) {
    std::printf("%s does not match %s\n", pattern, text.c_str());
    return;
  }
  std::printf("%s:", pattern);
  for (const auto &group : found)
    std::printf(" %s", group.matched ? group.str().c_str() : "-");
  std::puts("");
}

int main() {
  match("(\\w+)@(.+)\\.(org|net)", "someone@example.org");
  match("(a*)(a|b)+?(c)?", "aaab");
  match("(a{2,4})-b+", "aaaaa-b");
  match("[^x[:digit:]]+", "abc");
  match("(.)(.)\\2\\1", "abba");
  match("a(?=b)b(?!c).", "abd");
  const std::string text = "one 1, two 22, three 333";
  const std::regex number("\\d+");
  for (auto at = std::sregex_iterator(text.begin(), text.end(), number); at != std::sregex_iterator(); ++at)
    std::printf("%s at %d; ", at->str().c_str(), (int)at->position());
  std::printf("\n%s\n", std::regex_replace(text, std::regex("(o|w|e+) (.)"), "$2-$1[$&]").c_str());
  std::printf("%d\n", std::regex_search("No Case", std::regex("O C", std::regex::icase)));
  const std::regex comma(", ");
  std::sregex_token_iterator parts(text.begin(), text.end(), comma, -1), end;
  std::printf("%d parts: %s\n", (int)std::distance(parts, end), std::next(parts, 2)->str().c_str());
}
