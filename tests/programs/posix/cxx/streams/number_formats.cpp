//@ cflags: -std=c++17
//@ opt: O0 O2
// Widths, fills, bases and flags of std::cout hold as long as they should, and no longer.
#include <iomanip>
#include <iostream>

volatile int number = 255, negative = -42;

int main() {
  std::cout << std::setw(6) << number << '|' << number << '\n';
  std::cout << std::setfill('*') << std::left << std::setw(6) << negative << '|' << std::right << std::setw(6)
            << negative << '|' << std::internal << std::setw(6) << negative << "|\n";
  std::cout << std::hex << number << ' ' << std::showbase << number << ' ' << std::uppercase << number << ' '
            << std::oct << number << ' ' << std::dec << std::noshowbase << number << '\n';
  std::cout << true << ' ' << std::boolalpha << true << ' ' << (number == 0) << std::noboolalpha << ' '
            << false << '\n';
  std::cout << std::showpos << number << ' ' << 0 << ' ' << 7u << std::noshowpos << '\n';
  std::cout << std::setfill('0') << std::setw(8) << std::hex << std::nouppercase << (unsigned)negative
            << std::dec << '\n';
  std::cout << 'c' << (int)'c' << (short)-3 << ' ' << 12345678901234LL << ' ' << ~0ul << '\n';
  std::cout << std::setw(5) << "ab" << std::setw(3) << "longer" << std::setw(3) << 'x' << '\n';
  std::cout << std::quoted("a \"quoted\" text") << ' ' << (void *)nullptr << '\n';
  std::ios_base::fmtflags flags = std::cout.flags();
  std::cout << std::setbase(16) << std::showbase << 26 << ' ';
  std::cout.flags(flags);
  std::cout << 26 << ' ' << (std::cout.fill() == '0') << std::endl;
}
