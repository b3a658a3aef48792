//@ native: yes
// hsearch keeps a hash table, tsearch a tree, insque a list.
#include "../check.h"
#include <search.h>

static int order[32], count, leaves;

static int compare(const void *a, const void *b) { return (int)((long)a - (long)b); }

static void visit(const void *node, VISIT when, int depth) {
  (void)depth;
  if (when == postorder || when == leaf)
    order[count++] = (int)*(const long *)node;
  leaves += when == leaf;
}

int main(void) {
  static char keys[20][8];
  SHOW(hcreate(30));
  for (int i = 0; i < 20; i++) {
    snprintf(keys[i], 8, "key%d", i);
    ENTRY e = {keys[i], (void *)(long)(i * i)};
    need(hsearch(e, ENTER) != 0, "hsearch");
  }
  ENTRY e = {"key7", 0}, *found = hsearch(e, FIND);
  NUM((long)found->data);
  e.key = "absent";
  IS(hsearch(e, FIND) == 0);
  hdestroy();
  void *root = 0;
  for (long i = 1; i <= 15; i++)
    need(tsearch((void *)(i * 7 % 16), &root, compare) != 0, "tsearch");
  twalk(root, visit);
  for (int i = 0; i < count; i++)
    printf("%d ", order[i]);
  printf("leaves %d\n", leaves > 0);
  IS(tfind((void *)5L, &root, compare) != 0);
  IS(tdelete((void *)5L, &root, compare) != 0);
  IS(tfind((void *)5L, &root, compare) == 0);
  for (long i = 1; i <= 15; i++)
    tdelete((void *)i, &root, compare);
  IS(root == 0);
  struct element {
    struct element *next, *previous;
    int value;
  } a = {0, 0, 1}, b = {0, 0, 2}, c = {0, 0, 3};
  insque(&a, 0), insque(&c, &a), insque(&b, &a);
  for (struct element *p = &a; p; p = p->next)
    printf("%d ", p->value);
  remque(&b);
  IS(a.next == &c && c.previous == &a);
  return 0;
}
