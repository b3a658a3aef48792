//@ args: --check leaks
// The variable is reset before the block is freed, so that free gets a null pointer and frees nothing.
#include <stdlib.h>

struct list { struct list *next; };

static void destroy(struct list *volatile *list) {
  struct list *first = *list;
  *list = NULL;
  if (first != NULL) free(first->next);
  free(*list);
}

int main(void) {
  struct list *volatile list = malloc(sizeof *list); // expect: bug leak
  list->next = malloc(sizeof *list);
  list->next->next = NULL;
  destroy(&list);
  return 0;
}
