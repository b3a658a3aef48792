//@ cflags: -std=c++17
//@ args: --check leaks
// Containers of std::pmr take their memory where they are told, and give back to it what they took.
#include <cstdio>
#include <map>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

// Counts what is taken from and given to the resource behind it.
class Counting : public std::pmr::memory_resource {
  std::pmr::memory_resource *behind = std::pmr::new_delete_resource();

  void *do_allocate(std::size_t bytes, std::size_t alignment) override {
    taken += bytes;
    blocks++;
    return behind->allocate(bytes, alignment);
  }
  void do_deallocate(void *memory, std::size_t bytes, std::size_t alignment) override {
    given += bytes;
    blocks--;
    behind->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }

public:
  std::size_t taken = 0, given = 0;
  int blocks = 0;
};

int main() {
  Counting counting;
  {
    std::pmr::vector<std::pmr::string> names(&counting);
    names.emplace_back("a name that is too long to be kept in place");
    names.push_back(names[0]);
    std::printf("%d blocks, %d\n", counting.blocks, names[1].get_allocator().resource() == &counting);
  }
  std::printf("%d %d\n", counting.blocks, counting.taken == counting.given);
  {
    char buffer[256];
    std::pmr::monotonic_buffer_resource pool(buffer, sizeof buffer, &counting);
    std::pmr::vector<int> small(20, 1, &pool);
    bool inside = (char *)small.data() >= buffer && (char *)small.data() < buffer + sizeof buffer;
    std::printf("%d %d", inside, counting.blocks);
    small.resize(100);
    std::printf(" %d\n", counting.blocks);
  }
  {
    std::pmr::unsynchronized_pool_resource pool(&counting);
    std::pmr::map<int, std::pmr::string> map(&pool);
    for (int i = 0; i < 30; i++)
      map[i * 7 % 30] = "a text that does not fit into the string itself";
    std::printf("%zu %d\n", map.size(), counting.blocks < 30);
  }
  std::printf("%d %d\n", counting.blocks, counting.taken == counting.given);
  std::pmr::vector<int> none(std::pmr::null_memory_resource());
  try {
    none.push_back(1);
  } catch (const std::bad_alloc &) {
    std::printf("bad_alloc %zu\n", none.size());
  }
}
