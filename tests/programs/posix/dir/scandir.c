//@ native: yes
// scandir selects and sorts.
#include "../check.h"
#include <dirent.h>

static int starts_with_a(const struct dirent *e) { return e->d_name[0] == 'a'; }

static int reverse(const struct dirent **a, const struct dirent **b) {
  return -strcmp((*a)->d_name, (*b)->d_name);
}

static void show(int n, struct dirent **list) {
  for (int i = 0; i < n; i++) {
    printf("  %s\n", list[i]->d_name);
    free(list[i]);
  }
  free(list);
}

int main(void) {
  struct dirent **list;
  put("b10", ""), put("a10", ""), put("a9", ""), put("ax", ""), put("c", "");
  int n = SHOW(scandir(".", &list, 0, alphasort));
  show(n, list);
  n = SHOW(scandir(".", &list, starts_with_a, alphasort));
  show(n, list);
  n = SHOW(scandir(".", &list, starts_with_a, reverse));
  show(n, list);
  SHOW(unlink("ax"));
  n = SHOW(scandir(".", &list, starts_with_a, versionsort));
  show(n, list);
  SHOW(scandir("none", &list, 0, alphasort));
  SHOW(scandir("c", &list, 0, alphasort));
  return 0;
}
