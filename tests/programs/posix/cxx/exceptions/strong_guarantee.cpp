//@ cflags: -std=c++17
//@ opt: O0 O2
// A container whose element cannot be copied is what it was before, when the library promises it.
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <vector>

static int alive, copies_left = 1000;

struct Element {
  int id;
  explicit Element(int id) : id(id) { alive++; }
  Element(const Element &other) : id(other.id) {
    if (copies_left-- == 0)
      throw id;
    alive++;
  }
  Element &operator=(const Element &) = default;
  ~Element() { alive--; }
};

template <class Container, class Change> static void attempt(const char *name, Change change) {
  Container container;
  for (int i = 1; i <= 4; i++)
    container.push_back(Element(i));
  const Element *first = &container.front();
  for (int copies = 0; copies < 3; copies++) {
    try {
      copies_left = copies;
      change(container);
      std::printf("%s: %zu\n", name, container.size());
    } catch (int id) {
      std::printf("%s: %d cannot be copied,", name, id);
    }
    copies_left = 1000;
    int sum = 0;
    for (const Element &element : container)
      sum = sum * 10 + element.id;
    std::printf(" %d, %s\n", sum, first == &container.front() ? "in place" : "moved");
  }
}

int main() {
  const Element fifth(5);
  attempt<std::vector<Element>>("vector", [&](auto &container) { container.push_back(fifth); });
  attempt<std::deque<Element>>("deque", [&](auto &container) { container.push_front(fifth); });
  attempt<std::list<Element>>("list", [&](auto &container) {
    container.insert(container.begin(), 2, fifth);
  });
  std::map<int, Element> map;
  copies_left = 0;
  try {
    map.emplace(1, fifth);
  } catch (int id) {
    std::printf("map: %d, size %zu\n", id, map.size());
  }
  std::printf("%d alive\n", alive);
}
