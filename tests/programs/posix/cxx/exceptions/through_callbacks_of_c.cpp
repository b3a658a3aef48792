//@ cflags: -std=c++17
//@ opt: O0 O2
// An exception of a comparison passes through qsort and bsearch of the C library.
#include <cstdio>
#include <cstdlib>

static int compared;

static int compare(const void *one, const void *other) {
  compared++;
  int a = *static_cast<const int *>(one), b = *static_cast<const int *>(other);
  if (a < 0)
    throw a;
  if (b < 0)
    throw b;
  return a - b;
}

int numbers[] = {5, 3, 9, -7, 1, 8};

int main() {
  try {
    std::qsort(numbers, 6, sizeof *numbers, compare);
    std::puts("sorted");
  } catch (int number) {
    std::printf("qsort: %d, %s\n", number, compared > 0 ? "after comparisons" : "before");
  }
  int sum = 0;
  for (int number : numbers)
    sum += number;
  std::printf("sum %d\n", sum);
  int sorted[] = {1, 3, 5, 7, 9};
  volatile int wanted = 7;
  int key = wanted;
  auto *found = static_cast<int *>(std::bsearch(&key, sorted, 5, sizeof *sorted, compare));
  std::printf("found at %d\n", (int)(found - sorted));
  key = -wanted;
  try {
    found = static_cast<int *>(std::bsearch(&key, sorted, 5, sizeof *sorted, compare));
    std::puts("searched");
  } catch (int number) {
    std::printf("bsearch: %d\n", number);
  }
}
