//@ cflags: -std=c++17
//@ opt: O0 O2
// A string stream parses numbers and words, and says what it could not parse.
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

static const char *state(const std::ios &stream) {
  if (stream.fail())
    return stream.eof() ? "fail at the end" : "fail";
  return stream.eof() ? "end" : "good";
}

template <class Value> static void parse(const char *name, const std::string &text, Value value) {
  std::istringstream in(text);
  in >> value;
  const char *after = state(in);
  in.clear();
  std::string rest;
  std::getline(in, rest);
  std::cout << name << '(' << text << "): " << value << ", " << after << ", rest [" << rest << "]\n";
}

int main() {
  parse("int", "  42 rest", -1);
  parse("int", "abc", -1);
  parse("int", "99999999999", -1);
  parse("int", "-17", -1);
  parse("short", "-40000", short(-1));
  parse("unsigned", "-1", 5u);
  parse("double", "2.5e3x", -1.0);
  parse("double", "1e", -1.0);
  parse("char", "  x", '?');
  parse("bool", "1", false);
  parse("bool", "7", false);
  parse("word", "two words", std::string("-"));

  std::istringstream in("ff 0x1A 017 12, true \"a \\\"b\\\"\"");
  int hex, prefixed, octal, number;
  char comma;
  bool flag;
  std::string quoted;
  in >> std::hex >> hex >> prefixed >> std::oct >> octal >> std::dec >> number >> comma;
  in >> std::boolalpha >> flag >> std::quoted(quoted);
  std::cout << hex << ' ' << prefixed << ' ' << octal << ' ' << number << comma << ' ' << flag << '\n';
  std::cout << quoted << '\n';

  std::stringstream both;
  both << "one " << 2 << ' ' << 3.5;
  both.seekp(0, std::ios::beg) << "ONE";
  std::string word;
  double sum = 0, next;
  both >> word;
  while (both >> next)
    sum += next;
  std::cout << word << ' ' << sum << ' ' << both.str() << ' ' << state(both) << ' ' << both.tellg() << '\n';
}
