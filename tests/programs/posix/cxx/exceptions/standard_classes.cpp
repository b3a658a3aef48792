//@ cflags: -std=c++17
// The exceptions of the standard library have a text and a base class each, and copies share the text.
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>

template <class Error> static void raise(const Error &error) {
  const char *kind = "exception";
  try {
    throw error;
  } catch (const std::logic_error &) {
    kind = "logic_error";
  } catch (const std::runtime_error &) {
    kind = "runtime_error";
  } catch (const std::bad_alloc &) {
    kind = "bad_alloc";
  } catch (const std::exception &) {
  }
  try {
    throw error;
  } catch (const std::exception &caught) {
    std::printf("%s: %s (%d)\n", kind, caught.what(), typeid(caught) == typeid(Error));
  }
}

int main() {
  std::string text(40, '-');
  raise(std::logic_error(text));
  raise(std::domain_error("domain"));
  raise(std::invalid_argument(text + "argument"));
  raise(std::length_error("length"));
  raise(std::out_of_range("range"));
  raise(std::runtime_error(text));
  raise(std::range_error("range"));
  raise(std::overflow_error("overflow"));
  raise(std::underflow_error("underflow"));
  raise(std::bad_alloc());
  raise(std::bad_array_new_length());
  raise(std::exception());
  raise(std::bad_exception());
  std::runtime_error one(text), two(one);
  std::printf("%d\n", one.what() == two.what());
  two = std::runtime_error("other");
  std::printf("%s %zu\n", two.what(), std::string(one.what()).size());
}
