//@ cflags: -std=c++17
// Streams may exchange their buffers, flush each other, and share the order of output with C.
#include <cstdio>
#include <iostream>
#include <sstream>

int main() {
  std::ostringstream kept;
  std::streambuf *original = std::cout.rdbuf(kept.rdbuf());
  std::cout << "not seen " << 1;
  std::cout.rdbuf(original);
  std::cout << "kept: " << kept.str() << '\n';
  std::istringstream input("5 6");
  std::streambuf *nothing = std::cin.rdbuf(input.rdbuf());
  int one, other;
  std::cin >> one >> other;
  std::cin.rdbuf(nothing);
  std::cout << one * other << '\n';

  std::cout << (std::cin.tie() == &std::cout) << (std::cerr.tie() == &std::cout) << '\n';
  std::ostringstream log;
  std::istringstream asked("answer");
  asked.tie(&log);
  std::string answer;
  log << "question ";
  asked >> answer;
  log << answer;
  std::cout << log.str() << '\n';

  std::printf("C ");
  std::cout << "C++ ";
  std::puts("C");
  std::cout << kept.rdbuf() << '\n';
  std::cout << std::cout.good() << '\n';
  std::cout << static_cast<std::streambuf *>(nullptr);
  std::printf("%d\n", std::cout.bad());
}
