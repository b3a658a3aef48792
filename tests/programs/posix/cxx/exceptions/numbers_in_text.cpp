//@ cflags: -std=c++17
// stoi and its like throw for text that is no number, and for numbers that do not fit.
#include <bitset>
#include <cstdio>
#include <stdexcept>
#include <string>

static const char *const texts[] = {"42", " -17 apples", "2147483648", "99999999999999999999",
                                    "x1", "",            "1e400",      "7.5"};

template <class Call> static void attempt(const char *name, const char *format, Call call) {
  for (const char *text : texts) {
    std::size_t end = 77;
    try {
      auto value = call(text, &end);
      std::printf("%s(%s): ", name, text);
      std::printf(format, value);
      std::printf(", %zu bytes\n", end);
    } catch (const std::invalid_argument &error) {
      std::printf("%s(%s): invalid_argument of %s, %zu\n", name, text, error.what(), end);
    } catch (const std::out_of_range &error) {
      std::printf("%s(%s): out_of_range of %s\n", name, text, error.what());
    }
  }
}

int main() {
  attempt("stoi", "%d", [](const char *text, std::size_t *end) { return std::stoi(text, end); });
  attempt("stoul", "%lu", [](const char *text, std::size_t *end) { return std::stoul(text, end, 16); });
  attempt("stoll", "%lld", [](const char *text, std::size_t *end) { return std::stoll(text, end, 0); });
  attempt("stod", "%g", [](const char *text, std::size_t *end) { return std::stod(text, end); });
  try {
    std::printf("%lu\n", std::bitset<8>(std::string("1021")).to_ulong());
  } catch (const std::invalid_argument &error) {
    std::printf("%s\n", error.what());
  }
}
