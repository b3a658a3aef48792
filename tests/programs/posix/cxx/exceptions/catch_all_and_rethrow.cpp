//@ cflags: -std=c++17
// A handler of everything passes on what it has not seen, also by a function that it calls.
#include <cstdio>
#include <stdexcept>
#include <string>

// Says what the exception is that is being handled.
static std::string description() {
  try {
    throw;
  } catch (int number) {
    return "the number " + std::to_string(number);
  } catch (const std::exception &error) {
    return error.what();
  } catch (...) {
    return "anything";
  }
}

template <class Error> static void raise(const Error &error) {
  try {
    throw error;
  } catch (...) {
    std::printf("%s\n", description().c_str());
    throw;
  }
}

volatile int number = 5;

int main() {
  try {
    raise(int(number));
  } catch (int same) {
    std::printf("still %d\n", same);
  }
  try {
    raise(std::domain_error("a long enough message about the domain"));
  } catch (std::logic_error &error) {
    std::printf("still %s\n", error.what());
  }
  try {
    raise(2.5);
  } catch (...) {
    std::printf("still %s\n", description().c_str());
  }
}
