//@ native: yes
// Initialisers with addresses: of globals, of members, one past the end, of functions, of each other.
#include <stdio.h>

struct node { struct node *next; const char *name; int *value; };

int numbers[4] = {10, 20, 30, 40};
extern struct node b;
struct node a = {&b, "a", &numbers[1]};
struct node b = {&a, "b", numbers + 3};
int *end = numbers + 4;
const char *suffix = &"prefix-suffix"[7];
int (*print)(const char *, ...) = printf;
long member = (long)sizeof(struct node);

int main(void) {
  print("%s %d %s %d\n", a.next->name, *a.next->value, a.next->next->name, *a.value);
  print("%ld %s %ld\n", (long)(end - numbers), suffix, member);
  return 0;
}
