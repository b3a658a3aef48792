//@ native: yes
// A struct with a flexible array member, allocated for the length it needs.
#include <stdio.h>
#include <stdlib.h>

struct message {
  unsigned length;
  char text[];
};

volatile unsigned n = 26;

int main(void) {
  struct message *m = malloc(sizeof *m + n);
  if (!m)
    return 1;
  m->length = n;
  for (unsigned i = 0; i < m->length; i++)
    m->text[i] = (char)('a' + i);
  printf("%u %.*s\n", m->length, 5, m->text + 21);
  free(m);
  return 0;
}
