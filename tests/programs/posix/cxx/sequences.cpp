//@ native: yes
//@ cflags: -std=c++17
// Vectors, deques, lists, queues and the algorithms over them.
#include <algorithm>
#include <array>
#include <bitset>
#include <cstdio>
#include <deque>
#include <forward_list>
#include <list>
#include <numeric>
#include <queue>
#include <vector>

template <class Sequence> static void show(const char *name, const Sequence &sequence) {
  std::printf("%s:", name);
  for (int value : sequence)
    std::printf(" %d", value);
  std::puts("");
}

int main() {
  std::vector<int> numbers(12);
  std::iota(numbers.begin(), numbers.end(), 1);
  std::rotate(numbers.begin(), numbers.begin() + 5, numbers.end());
  std::stable_partition(numbers.begin(), numbers.end(), [](int x) { return x % 2; });
  show("vector", numbers);
  std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a % 5 * 100 + a < b % 5 * 100 + b; });
  numbers.erase(std::remove_if(numbers.begin(), numbers.end(), [](int x) { return x % 4 == 0; }),
                numbers.end());
  numbers.insert(numbers.begin() + 2, 3, 99);
  show("vector", numbers);
  std::nth_element(numbers.begin(), numbers.begin() + 4, numbers.end());
  std::printf("%d %d\n", numbers[4], std::accumulate(numbers.begin(), numbers.end(), 0));

  std::list<int> list{5, 3, 9, 1}, other{4, 8}, empty;
  list.sort();
  list.merge(other);
  list.reverse();
  list.splice(std::next(list.begin()), list, std::prev(list.end()));
  show("list", list);
  list.swap(empty);
  std::printf("%zu %zu\n", list.size(), empty.size());
  empty.remove_if([](int x) { return x > 4; });
  show("list", empty);
  std::forward_list<int> forward{3, 1, 2};
  forward.sort();
  show("forward_list", forward);

  std::deque<int> deque;
  for (int i = 0; i < 300; i++)
    i % 3 ? deque.push_back(i) : deque.push_front(i);
  deque.erase(deque.begin() + 10, deque.end() - 10);
  show("deque", deque);
  std::priority_queue<int> queue(numbers.begin(), numbers.end());
  for (; !queue.empty(); queue.pop())
    std::printf("%d ", queue.top());
  std::puts("");
  std::array<int, 4> array{4, 2, 3, 1};
  std::make_heap(array.begin(), array.end());
  do {
  } while (std::next_permutation(array.begin(), array.end()));
  show("array", array);
  std::bitset<70> bits("1011");
  std::printf("%zu %s\n", bits.count(), (bits << 60).to_string().substr(0, 12).c_str());
}
