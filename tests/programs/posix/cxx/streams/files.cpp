//@ cflags: -std=c++17
// File streams write, append, seek, change and read a file, and say when it is not there.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

static const char *const path = "text.txt";

static void show() {
  std::ifstream in(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  for (char &letter : text)
    letter = letter == '\n' ? '/' : letter == 0 ? '.' : letter;
  std::cout << text.size() << ' ' << text.substr(0, 40) << '\n';
}

int main() {
  {
    std::ofstream out(path);
    out << "line " << 1 << "\nline " << 2 << std::endl;
    std::cout << out.is_open() << out.good() << ' ' << out.tellp() << '\n';
  }
  show();
  std::ofstream(path, std::ios::app) << "appended";
  show();
  std::fstream both(path, std::ios::in | std::ios::out);
  both.seekp(5);
  both << 'X' << std::flush;
  both.seekg(-3, std::ios::end);
  std::string word;
  both >> word;
  std::cout << word << ' ' << both.eof() << '\n';
  both.clear();
  both.seekg(0);
  std::getline(both, word);
  std::cout << word << ' ' << both.tellg() << '\n';
  both.close();
  std::ofstream(path, std::ios::trunc).seekp(3) << std::string(5000, 'z');
  std::ifstream large(path);
  large.seekg(4000).ignore(900);
  std::cout << large.get() << ' ' << large.seekg(5002).get() << ' ' << large.get() << '\n';
  show();
  std::remove(path);
  std::ifstream missing(path);
  std::cout << missing.is_open() << missing.fail() << (missing.peek() == EOF) << '\n';
  std::ofstream folder("/tmp");
  std::cout << folder.is_open() << folder.fail() << '\n';
}
