//@ cflags: -std=c++17
//@ opt: O0 O2
// Stream buffers of the program's own get all bytes of their streams, and give them.
#include <cstdio>
#include <iostream>
#include <streambuf>
#include <string>

// Writes its bytes in brackets when its area is full or flushed.
class Bracketed : public std::streambuf {
  char area[6];

  bool give() {
    std::printf("[%.*s]", (int)(pptr() - pbase()), pbase());
    setp(area, area + sizeof area);
    return true;
  }

public:
  Bracketed() { setp(area, area + sizeof area); }
  ~Bracketed() override { give(); }
  int_type overflow(int_type byte) override {
    give();
    return traits_type::eq_int_type(byte, traits_type::eof()) ? 0 : sputc(traits_type::to_char_type(byte));
  }
  int sync() override { return give() ? 0 : -1; }
};

// Counts down, and keeps the last byte so that it may be put back.
class Countdown : public std::streambuf {
  int left;
  char byte[2] = {};

public:
  explicit Countdown(int from) : left(from) {}
  int_type underflow() override {
    if (left < 0)
      return traits_type::eof();
    byte[0] = byte[1];
    byte[1] = left % 2 ? ' ' : (char)('0' + left / 2);
    left--;
    setg(byte, byte + 1, byte + 2);
    return byte[1];
  }
};

volatile int from = 8;

int main() {
  {
    Bracketed bracketed;
    std::ostream out(&bracketed);
    out << "a text of some length " << from << std::flush << "end";
    out << ' ' << out.good();
  }
  std::puts("");
  Countdown countdown(from);
  std::istream in(&countdown);
  int number, sum = 0;
  while (in >> number)
    sum = sum * 10 + number;
  std::printf("%d %d\n", sum, in.eof());
}
