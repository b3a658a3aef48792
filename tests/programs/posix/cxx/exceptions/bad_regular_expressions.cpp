//@ cflags: -std=c++17
// Regular expressions that are not well-formed throw regex_error with a code that says why.
#include <cstdio>
#include <regex>

using namespace std::regex_constants;

static const char *name(error_type code) {
  return code == error_brack   ? "bracket"
         : code == error_paren ? "parenthesis"
         : code == error_brace ? "brace"
         : code == error_badbrace ? "number in braces"
         : code == error_range    ? "range"
         : code == error_badrepeat ? "repeat"
         : code == error_escape    ? "escape"
         : code == error_backref   ? "back reference"
         : code == error_collate   ? "collation"
                                   : "another";
}

int main() {
  const char *const texts[] = {"a[bc",  "(ab", "ab)",  "a{2",       "a{x}",
                               "[z-a]", "*a",  "a\\", "(a)\\2", "[[:no:]]", "a|b"};
  for (const char *text : texts) {
    try {
      std::regex regex(text);
      std::printf("%s: %d\n", text, std::regex_match("b", regex));
    } catch (const std::regex_error &error) {
      std::printf("%s: %s\n", text, name(error.code()));
    }
  }
}
