//@ args: --check leaks
//@ paths: 1
// Blocks that a global still reaches at the end, directly or through others, are no leaks.
#include <stdlib.h>

struct node { struct node *next; };
struct node *head;

int main(void) {
  for (int i = 0; i < 3; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = head;
    head = fresh;
  }
  return 0;
}
