//@ cflags: -std=c++17
// std::function keeps any callable with its state; bind, apply, invoke and mem_fn call what they are given.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

static int alive;

struct Counter {
  long padding[8] = {};
  int count = 0;
  Counter() { alive++; }
  Counter(const Counter &other) : count(other.count) { alive++; }
  ~Counter() { alive--; }
  int operator()(int step) { return count += step; }
};

struct Account {
  std::string owner;
  int balance;
  int with(int amount) const { return balance + amount; }
};

static int subtract(int a, int b) { return a - b; }

int main() {
  {
    std::function<int(int)> count = Counter(), copy = count;
    count(2);
    count(3);
    std::printf("%d %d, %d alive\n", count.target<Counter>()->count, copy(10), alive);
    std::string text = "captured text that is long enough";
    copy = [text](int n) { return (int)text.size() + n; };
    count.swap(copy);
    std::printf("%d %d, %d alive\n", count(1), copy(1), alive);
    copy = nullptr;
    std::printf("%d %d, %d alive\n", (bool)copy, count.target_type() == typeid(Counter), alive);
  }
  using namespace std::placeholders;
  std::map<char, std::function<int(int, int)>> operations{
      {'-', subtract}, {'+', std::plus<>()}, {'r', std::bind(subtract, _2, _1)}};
  for (auto &[name, operation] : operations)
    std::printf("%c %d ", name, operation(9, 4));
  int base = 5;
  auto add = std::bind(std::plus<int>(), std::ref(base), _1);
  base = 50;
  std::printf("| %d\n", add(1));
  Account account{"Ada", 100};
  auto shared = std::make_shared<Account>(account);
  std::printf("%d %d %s\n", std::mem_fn(&Account::with)(account, 1), std::invoke(&Account::with, shared, 2),
              std::invoke(&Account::owner, account).c_str());
  std::printf("%d\n", std::apply(subtract, std::make_tuple(7, 10)));
  std::vector<int> numbers{5, 3, 8};
  std::sort(numbers.begin(), numbers.end(), std::greater<>());
  auto small = std::not_fn([](int n) { return n > 4; });
  std::printf("%d %d\n", numbers[0], (int)std::count_if(numbers.begin(), numbers.end(), small));
}
