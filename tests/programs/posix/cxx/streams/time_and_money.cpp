//@ cflags: -std=c++17
// put_time and get_time follow their format, and amounts of money that of the locale.
#include <ctime>
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>

struct Euro : std::moneypunct<char> {
  std::string do_curr_symbol() const override { return "EUR "; }
  std::string do_grouping() const override { return "\3"; }
  char do_thousands_sep() const override { return '.'; }
  char do_decimal_point() const override { return ','; }
  int do_frac_digits() const override { return 2; }
  std::string do_negative_sign() const override { return "-"; }
  pattern do_neg_format() const override { return {{sign, symbol, value, none}}; }
  pattern do_pos_format() const override { return {{symbol, value, none, none}}; }
};

int main() {
  std::tm time{};
  std::istringstream in("2024-02-29 13:05:09");
  in >> std::get_time(&time, "%Y-%m-%d %H:%M:%S");
  std::cout << in.fail() << ' ' << time.tm_year << ' ' << time.tm_mon << ' ' << time.tm_mday << ' '
            << time.tm_hour << '\n';
  time.tm_wday = 4;
  time.tm_yday = 59;
  std::cout << std::put_time(&time, "%d.%m.%y %H:%M:%S %j %A %b %%") << '\n';
  std::istringstream bad("2024-13-01");
  bad >> std::get_time(&time, "%Y-%m-%d");
  std::cout << bad.fail() << '\n';

  std::ostringstream out;
  out.imbue(std::locale(std::locale::classic(), new Euro));
  out << std::showbase << std::put_money(123456789.0L) << " | " << std::put_money("-50");
  std::cout << out.str() << '\n';
  std::istringstream amount("EUR 1.234,56");
  amount.imbue(out.getloc());
  long double cents = 0;
  amount >> std::get_money(cents);
  std::cout << amount.fail() << ' ' << (long)cents << '\n';
}
