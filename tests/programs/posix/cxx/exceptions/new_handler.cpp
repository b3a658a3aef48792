//@ cflags: -std=c++17
// new calls the handler again and again, until there is memory, the handler throws, or there is none.
#include <cstdio>
#include <limits>
#include <new>

volatile std::size_t huge = std::numeric_limits<std::size_t>::max() / 4;
void *volatile sink;
static int calls;

struct Enough : std::bad_alloc {
  const char *what() const noexcept override { return "enough"; }
};

static void throws() {
  if (++calls == 3)
    throw Enough();
}

static void gives_up() {
  if (++calls == 2)
    std::set_new_handler(nullptr);
}

static void attempt(std::new_handler handler) {
  calls = 0;
  std::set_new_handler(handler);
  try {
    sink = new char[huge];
  } catch (const Enough &error) {
    std::printf("%s after %d calls\n", error.what(), calls);
  } catch (const std::bad_alloc &) {
    std::printf("bad_alloc after %d calls\n", calls);
  }
}

int main() {
  attempt(nullptr);
  attempt(throws);
  std::printf("%d\n", std::get_new_handler() == throws);
  attempt(gives_up);
  calls = 0;
  std::set_new_handler(throws);
  sink = new (std::nothrow) char[huge];
  std::printf("%s after %d calls\n", sink ? "memory" : "null", calls);
}
