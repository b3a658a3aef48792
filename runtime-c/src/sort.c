/* qsort as a heap sort (no recursion, no extra memory), and bsearch. */
#include <stdlib.h>

typedef int compare_fn(const void *, const void *);

static void swap(char *a, char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

static void sift_down(char *base, size_t root, size_t count, size_t size, compare_fn *compare) {
  size_t child;
  while ((child = 2 * root + 1) < count) {
    if (child + 1 < count && compare(base + child * size, base + (child + 1) * size) < 0)
      child++;
    if (compare(base + root * size, base + child * size) >= 0)
      return;
    swap(base + root * size, base + child * size, size);
    root = child;
  }
}

void qsort(void *base, size_t count, size_t size, compare_fn *compare) {
  char *items = base;
  for (size_t i = count / 2; i > 0; i--)
    sift_down(items, i - 1, count, size, compare);
  for (size_t last = count; last > 1; last--) {
    swap(items, items + (last - 1) * size, size);
    sift_down(items, 0, last - 1, size, compare);
  }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, compare_fn *compare) {
  const char *items = base;
  while (count > 0) {
    const char *middle = items + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0)
      return (void *)middle;
    if (order > 0) {
      items = middle + size;
      count -= count / 2 + 1;
    } else {
      count /= 2;
    }
  }
  return 0;
}
