/* The part of std::list that is compiled into libstdc++: links of a ring of nodes. */
#include <stddef.h>

struct node {
  struct node *next, *prev;
};

/* Inserts this node before another. */
void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct node *this, struct node *before) {
  this->next = before;
  this->prev = before->prev;
  before->prev->next = this;
  before->prev = this;
}

void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct node *this) {
  this->prev->next = this->next;
  this->next->prev = this->prev;
}

/* Moves the nodes [first, last) before this node. */
void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct node *this, struct node *first,
                                                          struct node *last) {
  if (this == last || first == last)
    return;
  struct node *end = last->prev;
  first->prev->next = last;
  last->prev = first->prev;
  first->prev = this->prev;
  end->next = this;
  this->prev->next = first;
  this->prev = end;
}

void _ZNSt8__detail15_List_node_base10_M_reverseEv(struct node *this) {
  struct node *node = this;
  do {
    struct node *next = node->next;
    node->next = node->prev;
    node->prev = next;
    node = next;
  } while (node != this);
}

/* The nodes of a ring around another head. */
static void adopt(struct node *head, struct node from, const struct node *old) {
  if (from.next == old) {
    head->next = head->prev = head;
    return;
  }
  *head = from;
  head->next->prev = head;
  head->prev->next = head;
}

void _ZNSt8__detail15_List_node_base4swapERS0_S1_(struct node *x, struct node *y) {
  struct node of_x = *x, of_y = *y;
  if (x == y)
    return;
  adopt(x, of_y, y);
  adopt(y, of_x, x);
}
