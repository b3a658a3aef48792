//@ cflags: -std=c++17
// valarray, complex, bitset and gcd calculate with many numbers, parts and bits at once.
#include <bitset>
#include <complex>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <sstream>
#include <valarray>

static void show(const std::valarray<double> &numbers) {
  for (double number : numbers)
    std::printf("%g ", number);
  std::printf("| %g\n", numbers.sum());
}

int main() {
  std::valarray<double> numbers{1, 4, 9, 16, 25, 36};
  show(std::sqrt(numbers) * 2.0 + numbers);
  numbers[std::slice(0, 3, 2)] = 0;
  show(numbers);
  show(numbers[numbers > 10.0]);
  show(numbers.cshift(2).apply([](double number) { return number / 2; }));
  std::printf("%g %g\n", numbers.max(), numbers.min());
  std::complex<double> z(3, 4), i(0, 1);
  std::cout << std::abs(z) << ' ' << z * i << ' ' << z / i << ' ' << std::conj(z) << ' '
            << std::norm(z) << '\n';
  std::istringstream in("(1,-2) 5");
  in >> z >> i;
  std::cout << z + i << ' ' << (z == std::complex<double>(1, -2)) << '\n';
  std::bitset<70> bits(0xf0f0);
  bits.set(69).flip(0);
  std::cout << bits.count() << ' ' << (bits >> 60) << ' ' << bits.any() << bits.test(4) << bits.all() << '\n';
  std::cout << (std::bitset<8>("10101010") ^ std::bitset<8>(15)).to_ulong() << '\n';
  std::cout << std::gcd(84, 36) << ' ' << std::lcm(4, 6) << '\n';
}
