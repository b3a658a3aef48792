//@ native: yes
//@ args: --check leaks
// A list on the heap is built, reversed and freed completely.
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *next; int value; };

volatile int n = 12;

int main(void) {
  struct node *list = 0, *reversed = 0;
  for (int i = 0; i < n; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    if (!fresh)
      return 1;
    *fresh = (struct node){list, i * i};
    list = fresh;
  }
  while (list) {
    struct node *next = list->next;
    list->next = reversed;
    reversed = list;
    list = next;
  }
  while (reversed) {
    struct node *next = reversed->next;
    printf("%d ", reversed->value);
    free(reversed);
    reversed = next;
  }
  printf("\n");
  return 0;
}
