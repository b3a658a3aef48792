//@ cflags: -std=c++17
//@ args: --check leaks
// Owners that share an object count each other, also across casts, aliases, arrays and shared_from_this.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

struct Base {
  virtual ~Base() { std::puts("end of a base"); }
};

struct Node : Base, std::enable_shared_from_this<Node> {
  int id;
  std::vector<std::shared_ptr<Node>> children;
  std::weak_ptr<Node> parent;
  explicit Node(int id) : id(id) {}
  ~Node() override { std::printf("end of node %d\n", id); }
  void add(std::shared_ptr<Node> child) {
    child->parent = shared_from_this();
    children.push_back(std::move(child));
  }
};

int main() {
  auto root = std::make_shared<Node>(1);
  root->add(std::make_shared<Node>(2));
  root->add(std::shared_ptr<Node>(new Node(3)));
  std::printf("%ld %ld ", root.use_count(), root->weak_from_this().use_count());
  std::printf("%d\n", root->children[1]->parent.lock()->id);
  std::shared_ptr<int> alias(root, &root->id);
  std::shared_ptr<Base> base = root;
  auto again = std::dynamic_pointer_cast<Node>(base);
  std::printf("%ld %d %d\n", alias.use_count(), *alias, again == root);
  std::weak_ptr<Node> child = root->children[0];
  root.reset();
  again.reset();
  base.reset();
  std::printf("%ld %d\n", alias.use_count(), child.expired());
  alias.reset();
  std::printf("%d\n", child.lock() == nullptr);
  try {
    Node local(4);
    local.shared_from_this();
  } catch (const std::bad_weak_ptr &) {
    std::puts("nobody shares a local variable");
  }
  std::shared_ptr<int[]> array(new int[3]{1, 2, 3});
  std::shared_ptr<void> erased(array);
  std::shared_ptr<int> deleted(new int(5), [](int *number) {
    std::printf("deleter of %d\n", *number);
    delete number;
  });
  std::printf("%ld %d %ld\n", array.use_count(), array[2], deleted.use_count());
}
