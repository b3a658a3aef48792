//@ cflags: -std=c++17
//@ opt: O0 O2
// A variant is visited by overloads, alone and in pairs, and keeps one value of one type at a time.
#include <cstdio>
#include <memory>
#include <string>
#include <variant>
#include <vector>

template <class... Functions> struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions> Overloaded(Functions...) -> Overloaded<Functions...>;

struct Tree;
using Value = std::variant<int, double, std::string, std::unique_ptr<Tree>>;

struct Tree {
  char operation;
  Value left, right;
};

static double evaluate(const Value &value) {
  return std::visit(Overloaded{[](int number) { return (double)number; },
                               [](double number) { return number; },
                               [](const std::string &name) { return (double)name.size(); },
                               [](const std::unique_ptr<Tree> &tree) {
                                 double left = evaluate(tree->left), right = evaluate(tree->right);
                                 return tree->operation == '+' ? left + right : left * right;
                               }},
                    value);
}

int main() {
  Value sum = std::make_unique<Tree>(Tree{'+', 2, 0.5});
  Value product = std::make_unique<Tree>(Tree{'*', std::move(sum), std::string("four")});
  std::printf("%g %zu %d\n", evaluate(product), product.index(), std::get<3>(sum) == nullptr);
  std::vector<std::variant<std::monostate, char, long>> values{{}, 'c', 5L};
  auto is_larger = [](auto a, auto b) { return sizeof a > sizeof b; };
  for (const auto &one : values)
    for (const auto &other : values)
      std::printf("%d%d ", one < other, std::visit(is_larger, one, other));
  std::puts("");
  values[0] = 'x';
  values[1].swap(values[0]);
  std::printf("%c %d %d\n", std::get<char>(values[1]), std::holds_alternative<long>(values[2]),
              std::get_if<char>(&values[2]) == nullptr);
}
