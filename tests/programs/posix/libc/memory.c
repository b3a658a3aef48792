//@ native: yes
// The allocator: zeros of calloc, content kept by realloc, alignment, impossible sizes.
#include "../check.h"
#include <malloc.h>
#include <stdint.h>

void *volatile kept;
volatile size_t huge = SIZE_MAX / 2 + 1, four = 4;

int main(void) {
  char *p = calloc(100, four);
  int sum = 0;
  for (int i = 0; i < 400; i++)
    sum += p[i];
  NUM(sum);
  strcpy(p, "kept");
  p = realloc(p, 100000);
  puts(p);
  p = realloc(p, 5);
  puts(p);
  IS(malloc_usable_size(p) >= 5);
  free(p);
  IS((kept = malloc(huge)) == 0);
  IS((kept = calloc(huge, four)) == 0);
  p = malloc(8);
  strcpy(p, "still");
  char *volatile same = p;
  char *volatile q = realloc(p, huge);
  IS(q == 0);
  puts(same);
  q = reallocarray(same, huge, four);
  IS(q == 0);
  free(same);
  void *a = aligned_alloc(256, 512), *b = 0;
  IS((uintptr_t)a % 256 == 0);
  NUM(posix_memalign(&b, 4096, 10));
  IS((uintptr_t)b % 4096 == 0);
  NUM(posix_memalign(&b, 3, 10) == EINVAL);
  free(a), free(b);
  void *list[200];
  for (int i = 0; i < 200; i++)
    list[i] = memset(malloc((size_t)(i * 37 + 1)), i, (size_t)(i * 37 + 1));
  int wrong = 0;
  for (int i = 0; i < 200; i++) {
    wrong += ((unsigned char *)list[i])[i * 37] != i;
    free(list[i]);
  }
  NUM(wrong);
  free(0);
  return 0;
}
