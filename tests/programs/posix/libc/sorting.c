//@ native: yes
// qsort sorts any size of element, qsort_r passes a context, bsearch finds, lsearch appends.
#include "../check.h"
#include <search.h>

struct pair {
  char name[12];
  short key;
};

static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_key(const void *a, const void *b) {
  return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int directed(const void *a, const void *b, void *sign) { return *(int *)sign * by_int(a, b); }

int main(void) {
  int n[500], wrong = 0;
  for (int i = 0; i < 500; i++)
    n[i] = i * 7919 % 500;
  qsort(n, 500, sizeof *n, by_int);
  for (int i = 0; i < 500; i++)
    wrong += n[i] != i;
  NUM(wrong);
  int wanted = 123, absent = 500;
  NUM((int *)bsearch(&wanted, n, 500, sizeof *n, by_int) - n);
  IS(bsearch(&absent, n, 500, sizeof *n, by_int) == 0);
  IS(bsearch(&wanted, n, 0, sizeof *n, by_int) == 0);
  struct pair p[4] = {{"three", 3}, {"one", 1}, {"four", 4}, {"two", 2}};
  qsort(p, 4, sizeof *p, by_key);
  for (int i = 0; i < 4; i++)
    printf("%s ", p[i].name);
  const char *words[] = {"pear", "apple", "fig", "", "banana"};
  qsort(words, 5, sizeof *words, by_text);
  for (int i = 0; i < 5; i++)
    printf("[%s]", words[i]);
  puts("");
  int sign = -1;
  qsort_r(n, 10, sizeof *n, directed, &sign);
  printf("%d %d\n", n[0], n[9]);
  qsort(n, 0, sizeof *n, by_int);
  size_t count = 10;
  int key = 77;
  int *found = lsearch(&key, n, &count, sizeof *n, by_int);
  printf("%d %zu\n", *found, count);
  IS(lfind(&key, n, &count, sizeof *n, by_int) == found);
  return 0;
}
