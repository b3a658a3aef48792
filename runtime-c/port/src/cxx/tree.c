/* The red-black trees of std::map and std::set, of which libstdc++ has the parts that need no types.
 *
 * The header is a node beside the tree: its parent is the root, its left and right children are the
 * smallest and the largest node. */
#include <stdbool.h>
#include <stddef.h>

struct node {
  enum { RED, BLACK } colour;
  struct node *parent, *left, *right;
};

static bool is_red(const struct node *node) { return node && node->colour == RED; }

static struct node *smallest(struct node *node) {
  while (node->left)
    node = node->left;
  return node;
}

static struct node *largest(struct node *node) {
  while (node->right)
    node = node->right;
  return node;
}

static struct node *next(struct node *node) {
  if (node->right)
    return smallest(node->right);
  struct node *parent = node->parent;
  while (node == parent->right) {
    node = parent;
    parent = parent->parent;
  }
  /* From the largest node, which is the root, the way leads to the header and back. */
  return node->right == parent ? node : parent;
}

static struct node *previous(struct node *node) {
  if (node->colour == RED && node->parent->parent == node)
    return node->right; /* the header */
  if (node->left)
    return largest(node->left);
  struct node *parent = node->parent;
  while (node == parent->left) {
    node = parent;
    parent = parent->parent;
  }
  return parent;
}

/* std::_Rb_tree_increment, std::_Rb_tree_decrement */
struct node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct node *node) { return next(node); }
const struct node *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(const struct node *node) {
  return next((struct node *)node);
}
struct node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct node *node) {
  return previous(node);
}
const struct node *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(const struct node *node) {
  return previous((struct node *)node);
}

/* Puts a node into the place of another, as far as the parent is concerned. */
static void replace(struct node *old, struct node *new, struct node *header) {
  if (header->parent == old)
    header->parent = new;
  else if (old->parent->left == old)
    old->parent->left = new;
  else
    old->parent->right = new;
  if (new)
    new->parent = old->parent;
}

/* Turns a node and its child round, so that the node becomes the child's child. */
static void rotate(struct node *node, bool to_left, struct node *header) {
  struct node *child = to_left ? node->right : node->left;
  struct node *inner = to_left ? child->left : child->right;
  replace(node, child, header);
  *(to_left ? &node->right : &node->left) = inner;
  if (inner)
    inner->parent = node;
  *(to_left ? &child->left : &child->right) = node;
  node->parent = child;
}

/* std::_Rb_tree_insert_and_rebalance(bool, _Rb_tree_node_base*, _Rb_tree_node_base*, _Rb_tree_node_base&) */
void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool to_left, struct node *node,
                                                                       struct node *parent,
                                                                       struct node *header) {
  *node = (struct node){.colour = RED, .parent = parent};
  if (parent == header) {
    header->parent = header->left = header->right = node;
  } else if (to_left) {
    parent->left = node;
    if (header->left == parent)
      header->left = node;
  } else {
    parent->right = node;
    if (header->right == parent)
      header->right = node;
  }
  while (node != header->parent && is_red(node->parent)) {
    struct node *grandparent = node->parent->parent;
    bool is_left = node->parent == grandparent->left;
    struct node *uncle = is_left ? grandparent->right : grandparent->left;
    if (is_red(uncle)) {
      node->parent->colour = uncle->colour = BLACK;
      grandparent->colour = RED;
      node = grandparent;
      continue;
    }
    if (node == (is_left ? node->parent->right : node->parent->left)) {
      node = node->parent;
      rotate(node, is_left, header);
    }
    node->parent->colour = BLACK;
    grandparent->colour = RED;
    rotate(grandparent, !is_left, header);
  }
  header->parent->colour = BLACK;
}

/* One black node is missing on the way to `node`, which may be null, below `parent`. */
static void restore(struct node *node, struct node *parent, struct node *header) {
  while (node != header->parent && !is_red(node)) {
    bool is_left = node == parent->left;
    struct node *sibling = is_left ? parent->right : parent->left;
    if (is_red(sibling)) {
      sibling->colour = BLACK;
      parent->colour = RED;
      rotate(parent, is_left, header);
      sibling = is_left ? parent->right : parent->left;
    }
    struct node *outer = is_left ? sibling->right : sibling->left;
    struct node *inner = is_left ? sibling->left : sibling->right;
    if (!is_red(outer) && !is_red(inner)) {
      sibling->colour = RED;
      node = parent;
      parent = parent->parent;
      continue;
    }
    if (!is_red(outer)) {
      inner->colour = BLACK;
      sibling->colour = RED;
      rotate(sibling, !is_left, header);
      outer = sibling;
      sibling = inner;
    }
    sibling->colour = parent->colour;
    parent->colour = outer->colour = BLACK;
    rotate(parent, is_left, header);
    return;
  }
  if (node)
    node->colour = BLACK;
}

/* std::_Rb_tree_rebalance_for_erase(_Rb_tree_node_base*, _Rb_tree_node_base&) */
struct node *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct node *node,
                                                                          struct node *header) {
  struct node *child, *parent;
  int removed_colour = node->colour;
  if (node->left && node->right) {
    /* The next node, which has no left child, takes the place of the one that goes. */
    struct node *heir = smallest(node->right);
    removed_colour = heir->colour;
    child = heir->right;
    if (heir->parent == node) {
      parent = heir;
    } else {
      parent = heir->parent;
      parent->left = child;
      if (child)
        child->parent = parent;
      heir->right = node->right;
      heir->right->parent = heir;
    }
    heir->left = node->left;
    heir->left->parent = heir;
    heir->colour = node->colour;
    replace(node, heir, header);
  } else {
    child = node->left ? node->left : node->right;
    parent = node->parent;
    if (header->left == node)
      header->left = child ? smallest(child) : parent;
    if (header->right == node)
      header->right = child ? largest(child) : parent;
    replace(node, child, header);
  }
  if (removed_colour == BLACK && header->parent)
    restore(child, parent, header);
  return node;
}
