//@ cflags: -std=c++17
// Floating-point numbers are written with the precision and in the notation that the stream has.
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>

volatile double numbers[] = {0.0, -0.0, 1.0, 1.0 / 3, 123456789.0, 1e-7, 6.02214076e23, 2.5};

int main() {
  for (double number : numbers) {
    std::cout << number << ' ' << std::fixed << std::setprecision(2) << number << ' ' << std::scientific
              << std::setprecision(3) << number << ' ' << std::defaultfloat << std::setprecision(17) << number
              << std::setprecision(6) << '\n';
  }
  double infinite = std::numeric_limits<double>::infinity();
  std::cout << infinite << ' ' << -infinite << ' ' << std::uppercase << std::fabs(std::sqrt(-numbers[2]))
            << std::nouppercase << '\n';
  std::cout << std::showpoint << numbers[2] << ' ' << std::noshowpoint << std::showpos << numbers[7]
            << std::noshowpos << '\n';
  std::cout << std::hexfloat << numbers[7] << std::defaultfloat << ' ' << (float)numbers[3] << ' '
            << std::setprecision(15) << (long double)numbers[3] << '\n';
  std::cout << std::setprecision(0) << numbers[7] << ' ' << std::fixed << numbers[7] << ' ' << 3.5 << '\n';
  std::cout << std::internal << std::setfill('_') << std::setw(10) << std::setprecision(1)
            << -numbers[7] << '\n';
}
