//@ cflags: -std=c++17
// getline, get, ignore, putback and read take lines and bytes apart in the ways that each promises.
#include <iostream>
#include <limits>
#include <sstream>
#include <string>

int main() {
  std::istringstream in("first line\n\nthird,fourth;fifth\n12 next\nlonger than a buffer\nlast without end");
  std::string line;
  std::getline(in, line);
  std::cout << '[' << line << "]\n";
  std::getline(in, line);
  std::cout << '[' << line << "]\n";
  std::getline(in, line, ',');
  std::cout << '[' << line << "]\n";
  std::getline(in, line, ';');
  std::cout << '[' << line << "]\n";
  in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  int number;
  in >> number;
  in >> std::ws;
  std::cout << number << ' ' << (char)in.get() << (char)in.peek();
  in.unget();
  in.putback('N').clear();
  std::getline(in, line);
  std::cout << " [" << line << "]\n";
  char buffer[8];
  in.getline(buffer, sizeof buffer);
  std::cout << buffer << ' ' << in.fail() << in.gcount() << '\n';
  in.clear();
  in.get(buffer, 6);
  std::cout << '[' << buffer << "] " << in.gcount() << '\n';
  std::cout << in.readsome(buffer, 3) << (char)buffer[2] << '\n';
  in.ignore(1, 'x').ignore(100, '\n');
  int lines = 0;
  while (std::getline(in, line))
    std::cout << ++lines << " [" << line << "] " << in.eof() << '\n';
  std::cout << in.eof() << in.fail() << '\n';
}
