//@ cflags: -std=c++17
//@ opt: O0 O2
// to_chars writes the shortest text that from_chars reads back to the same number.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

template <class Number, class... Format> static std::string text(Number number, Format... format) {
  char buffer[64];
  auto done = std::to_chars(buffer, buffer + sizeof buffer, number, format...);
  return std::string(buffer, done.ptr);
}

template <class Number> static void parse(const char *digits) {
  Number number = 77;
  auto done = std::from_chars(digits, digits + std::strlen(digits), number);
  const char *error = done.ec == std::errc::invalid_argument      ? "invalid"
                      : done.ec == std::errc::result_out_of_range ? "out of range"
                                                                  : "ok";
  std::printf("%s: %g, %s, %d used\n", digits, (double)number, error, (int)(done.ptr - digits));
}

volatile double numbers[] = {0.1, 1.0 / 3, 1e21, 5e-324, 123456, -2.5, 1e5};

int main() {
  std::printf("%s %s %s\n", text(-42).c_str(), text(255, 16).c_str(), text(255u, 2).c_str());
  std::printf("%s\n", text(std::numeric_limits<long>::min()).c_str());
  for (double number : numbers) {
    std::string shortest = text(number);
    double again = 0;
    std::from_chars(shortest.data(), shortest.data() + shortest.size(), again);
    std::printf("%s %d %s\n", shortest.c_str(), again == number, text((float)number).c_str());
  }
  std::printf("%s\n", text(2.5, std::chars_format::fixed, 3).c_str());
  std::printf("%s\n", text(0.1, std::chars_format::hex).c_str());
  std::printf("%s\n", text(1234.5, std::chars_format::scientific).c_str());
  parse<int>("123abc");
  parse<int>("-2147483649");
  parse<int>("+5");
  parse<unsigned char>("256");
  parse<double>("1.5e3x");
  parse<double>("1e999");
  parse<double>("inf");
  parse<double>(".");
  char small[2];
  std::printf("%d\n", std::to_chars(small, small + 2, 100).ec == std::errc::value_too_large);
}
