//@ native: yes
//@ cflags: -std=c++17
//@ opt: O0 O2
//@ paths: 5
// Each check of a record throws a class of its own, which handlers of bases tell apart.
#include <klee/klee.h>
#include <stdexcept>
#include <stdio.h>
#include <string>

struct BadLength : std::length_error {
  int length;
  explicit BadLength(int length) : std::length_error("bad length"), length(length) {}
};

static int parse(int kind, int length, int checksum) {
  if (kind == 0)
    throw std::invalid_argument("no kind");
  if (kind == 3)
    throw std::runtime_error("kind of a later version");
  if (length > 4)
    throw BadLength(length);
  if (checksum != kind + length)
    throw std::string("wrong checksum");
  return length;
}

int main() {
  int kind = klee_range(0, 4, "kind");
  int length = klee_range(0, 256, "length");
  int checksum = klee_int("checksum");
  try {
    parse(kind, length, checksum);
    puts("a record");
  } catch (const std::length_error &error) {
    printf("length: %s\n", error.what());
    klee_assert(static_cast<const BadLength &>(error).length == length && length >= 5);
  } catch (const std::logic_error &error) {
    printf("logic: %s\n", error.what());
  } catch (const std::exception &error) {
    printf("other: %s\n", error.what());
  } catch (const std::string &text) {
    printf("text: %s\n", text.c_str());
  }
  return 0;
}
