//@ cflags: -std=c++17
// Reading from a standard input that has nothing sets eof and fail, and leaves variables alone or zero.
#include <iostream>
#include <iterator>
#include <string>

static void show(const char *what, const std::istream &in) {
  std::cout << what << ": " << in.good() << in.eof() << in.fail() << in.bad() << '\n';
}

int main() {
  show("begin", std::cin);
  int number = 7;
  std::cin >> number;
  std::cout << number << '\n';
  show("number", std::cin);
  std::string line = "kept";
  std::cout << (bool)std::getline(std::cin, line) << line << '\n';
  std::cin.clear();
  show("cleared", std::cin);
  std::cout << std::cin.peek() << ' ' << (std::cin.get() == std::char_traits<char>::eof()) << '\n';
  show("peek and get", std::cin);
  std::cin.clear();
  line = "lost";
  std::cout << (bool)std::getline(std::cin, line) << line << '\n';
  show("line", std::cin);
  std::cin.clear();
  std::cin >> line;
  show("word", std::cin);
  std::cin.clear();
  char buffer[4] = "abc";
  std::cin.read(buffer, 2);
  std::cout << std::cin.gcount() << buffer << '\n';
  show("read", std::cin);
  std::cin.clear();
  std::cout << std::distance(std::istream_iterator<int>(std::cin), {}) << '\n';
}
