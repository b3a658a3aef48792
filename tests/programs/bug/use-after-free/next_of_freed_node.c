//@ opt: O0
// Freeing a list by reading the link of the node just freed.
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 3; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = head;
    head = fresh;
  }
  for (struct node *p = head; p; p = p->next) // expect: bug use-after-free
    free(p);
  return 0;
}
