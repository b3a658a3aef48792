//@ cflags: -std=c++17
//@ opt: O0 O2
// new of more than there is throws bad_alloc, and the forms with std::nothrow give null.
#include <cstdio>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

volatile std::size_t huge = std::numeric_limits<std::size_t>::max() / 4;
void *volatile sink;
std::vector<long> vector;
std::string string;

template <class Call> static void attempt(const char *name, Call call) {
  try {
    call();
    std::printf("%s: %s\n", name, sink ? "there" : "null");
  } catch (const std::length_error &) {
    std::printf("%s: length_error\n", name);
  } catch (const std::bad_alloc &) {
    std::printf("%s: bad_alloc\n", name);
  }
}

int main() {
  attempt("operator new", [] { sink = ::operator new(huge); });
  attempt("new[]", [] { sink = new char[huge]; });
  attempt("new[] of too many", [] { sink = new long[huge]; });
  attempt("aligned new", [] { sink = ::operator new(huge, std::align_val_t(64)); });
  attempt("nothrow new", [] { sink = ::operator new(huge, std::nothrow); });
  attempt("nothrow new[]", [] { sink = new (std::nothrow) char[huge]; });
  attempt("vector", [] { vector.reserve(huge / 8); });
  attempt("vector of too many", [] { vector.reserve(huge); });
  attempt("string", [] { string.reserve(huge); });
  attempt("a little", [] { sink = ::operator new(huge % 8 + 1); });
  ::operator delete(sink);
}
