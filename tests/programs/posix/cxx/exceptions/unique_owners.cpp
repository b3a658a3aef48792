//@ cflags: -std=c++17
//@ opt: O0 O2
//@ args: --check leaks
// What unique_ptr, shared_ptr and containers own is freed when an exception passes, and freed once.
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static int alive;

struct Node {
  int id;
  std::unique_ptr<Node> next;
  explicit Node(int id) : id(id) { alive++; }
  ~Node() { alive--; }
};

volatile int bad = 5;

static std::unique_ptr<Node> parse(int count) {
  std::unique_ptr<Node> head;
  for (int i = 0; i < count; i++) {
    auto node = std::make_unique<Node>(i);
    node->next = std::move(head);
    head = std::move(node);
    if (i == bad)
      throw std::runtime_error("node " + std::to_string(i));
  }
  return head;
}

static void work(int count) {
  std::vector<std::shared_ptr<Node>> shared{parse(2), parse(3)};
  std::map<std::string, std::unique_ptr<Node>> named;
  named["a name of which the map has a copy"] = parse(count);
  std::printf("%zu %d\n", shared.size(), alive);
}

int main() {
  work(4);
  std::printf("%d\n", alive);
  try {
    work(9);
  } catch (const std::runtime_error &error) {
    std::printf("%s, %d alive\n", error.what(), alive);
  }
}
