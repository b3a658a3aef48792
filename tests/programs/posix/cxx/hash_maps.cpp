//@ native: yes
//@ cflags: -std=c++17
// The order of hash tables, and how they grow, are those of the native library.
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

int main() {
  std::unordered_map<std::string, int> words;
  for (int i = 0; i < 200; i++) {
    size_t before = words.bucket_count();
    words["word" + std::to_string(i * 37 % 211)] += i;
    if (words.bucket_count() != before)
      std::printf("%d elements: %zu buckets\n", i, words.bucket_count());
  }
  for (int i = 0; i < 200; i += 3)
    words.erase("word" + std::to_string(i));
  for (const auto &[word, sum] : words)
    std::printf("%s=%d ", word.c_str(), sum);
  std::puts("");
  std::unordered_set<int> numbers{5, 17, 5, 29};
  numbers.max_load_factor(0.5f);
  numbers.reserve(40);
  std::printf("%zu numbers in %zu buckets\n", numbers.size(), numbers.bucket_count());
  std::printf("%zx %zx\n", std::hash<std::string_view>()("a somewhat longer text"),
              std::hash<double>()(1.5));
}
