//@ native: yes
//@ cflags: -std=c++17
// std::map and std::set against a sorted vector, over insertions and removals in a scrambled order.
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

static unsigned state = 7;

static unsigned next() { return state = state * 1103515245 + 12345, state >> 16; }

int main() {
  std::set<int> set;
  std::vector<int> sorted;
  for (int step = 0; step < 300; step++) {
    int value = next() % 64;
    auto place = std::lower_bound(sorted.begin(), sorted.end(), value);
    bool present = place != sorted.end() && *place == value;
    if (next() % 2) {
      if (set.insert(value).second == present)
        std::printf("insert %d is wrong\n", value);
      if (!present)
        sorted.insert(place, value);
    } else {
      if (set.erase(value) != present)
        std::printf("erase %d is wrong\n", value);
      if (present)
        sorted.erase(place);
    }
    if (!std::equal(set.begin(), set.end(), sorted.begin(), sorted.end()) ||
        !std::equal(set.rbegin(), set.rend(), sorted.rbegin(), sorted.rend()))
      std::printf("step %d is wrong\n", step);
  }
  std::printf("%zu left, %d to %d\n", set.size(), *set.begin(), *set.rbegin());

  std::map<std::string, int> ages{{"Ada", 36}, {"Blaise", 39}, {"Carl", 77}};
  ages["Emmy"] = 53;
  ages.erase("Blaise");
  ages.insert_or_assign("Ada", 37);
  for (const auto &[name, age] : ages)
    std::printf("%s %d\n", name.c_str(), age);
  std::printf("%s %d\n", ages.lower_bound("B")->first.c_str(), (int)ages.count("Blaise"));
  std::multimap<int, char> letters{{2, 'b'}, {1, 'a'}, {2, 'c'}};
  for (auto range = letters.equal_range(2); range.first != range.second; ++range.first)
    std::printf("%c", range.first->second);
  std::puts("");
}
