//@ cflags: -std=c++17
// A stream throws ios_base::failure when it gets into a state that the program asks about.
#include <fstream>
#include <iostream>
#include <sstream>
#include <streambuf>
#include <string>

template <class Call> static void attempt(const char *name, Call call) {
  try {
    call();
    std::cout << name << ": done\n";
  } catch (const std::ios_base::failure &error) {
    std::cout << name << ": failure " << (error.code() == std::io_errc::stream) << '\n';
  } catch (int number) {
    std::cout << name << ": " << number << '\n';
  }
}

struct Broken : std::streambuf {
  int_type underflow() override { throw 5; }
};

int main() {
  int number = 0;
  std::istringstream in("12 x");
  in.exceptions(std::ios::failbit | std::ios::badbit);
  attempt("number", [&] { in >> number; });
  attempt("no number", [&] { in >> number; });
  attempt("failed stream", [&] { in.exceptions(std::ios::failbit); });
  in.clear();
  attempt("cleared", [&] { in.exceptions(std::ios::eofbit); });
  std::string word;
  attempt("word at the end", [&] { in >> word; });
  std::cout << number << ' ' << word << ' ' << in.rdstate() << '\n';
  attempt("set by hand", [&] { std::ostringstream().exceptions(std::ios::badbit); });
  attempt("clear by hand", [&] {
    std::ostringstream out;
    out.exceptions(std::ios::badbit);
    out.clear(std::ios::badbit);
  });
  std::ifstream missing;
  missing.exceptions(std::ios::failbit);
  attempt("missing file", [&] { missing.open("/nowhere/at/all"); });
  Broken broken;
  std::istream from_broken(&broken);
  attempt("quiet buffer", [&] { from_broken >> number; });
  std::cout << from_broken.bad() << '\n';
  from_broken.clear();
  from_broken.exceptions(std::ios::badbit);
  attempt("loud buffer", [&] { from_broken >> number; });
}
