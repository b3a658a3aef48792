//@ cflags: -std=c++17
// The facets of a stream's locale decide how it writes and reads numbers and truth values.
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>

struct Swiss : std::numpunct<char> {
  char do_thousands_sep() const override { return '\''; }
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
  std::string do_truename() const override { return "wahr"; }
  std::string do_falsename() const override { return "falsch"; }
};

volatile long number = 1234567;

int main() {
  std::ostringstream out;
  std::locale swiss(std::locale::classic(), new Swiss);
  std::locale before = out.imbue(swiss);
  out << number << ' ' << -number * 1000 << ' ' << 99 << ' ' << std::fixed << std::setprecision(2)
      << number / 8.0 << ' ' << std::hex << number << ' ' << std::boolalpha << true << ' ' << false;
  std::cout << out.str() << '\n';
  std::cout << (before == std::locale::classic()) << ' ' << before.name() << ' ' << number << '\n';

  std::istringstream in("1'234'567 12'34 2,5 falsch");
  in.imbue(swiss);
  long first = 0, second = 0;
  double third = 0;
  bool fourth = true;
  in >> first >> second;
  std::cout << first << ' ' << second << ' ' << in.fail() << '\n';
  in.clear();
  in >> third >> std::boolalpha >> fourth;
  std::cout << third << ' ' << fourth << ' ' << in.fail() << '\n';

  const std::locale &classic = std::locale::classic();
  std::cout << std::toupper('a', classic) << std::isdigit('7', classic) << std::isalpha('7', classic) << ' '
            << std::use_facet<std::numpunct<char>>(swiss).decimal_point()
            << std::has_facet<std::collate<char>>(swiss) << '\n';
  std::string text = "locale";
  std::use_facet<std::ctype<char>>(classic).toupper(text.data(), text.data() + text.size());
  std::cout << text << ' ' << classic(std::string("a"), std::string("b")) << '\n';
}
