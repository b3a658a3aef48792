// The memory of exceptions. libstdc++ takes a large reserve from the heap when a program starts; here it is
// small, and static.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <unwind-cxx.h>

using namespace __cxxabiv1;

namespace {

constexpr std::size_t RESERVES = 16, RESERVE_BYTES = 1024;

struct alignas(16) Reserve {
  char bytes[RESERVE_BYTES];
};

Reserve reserves[RESERVES];
bool taken[RESERVES];

void *allocate(std::size_t size) {
  void *memory = std::malloc(size);
  for (std::size_t i = 0; !memory && size <= RESERVE_BYTES && i < RESERVES; i++)
    if (!__atomic_test_and_set(&taken[i], __ATOMIC_ACQUIRE))
      memory = &reserves[i];
  if (!memory)
    std::terminate();
  return memory;
}

void release(void *memory) {
  for (std::size_t i = 0; i < RESERVES; i++)
    if (memory == &reserves[i])
      return __atomic_clear(&taken[i], __ATOMIC_RELEASE);
  std::free(memory);
}

} // namespace

extern "C" {

void *__cxxabiv1::__cxa_allocate_exception(std::size_t size) noexcept {
  constexpr std::size_t header = sizeof(__cxa_refcounted_exception);
  void *memory = allocate(size + header);
  std::memset(memory, 0, header);
  return static_cast<char *>(memory) + header;
}

void __cxxabiv1::__cxa_free_exception(void *object) noexcept {
  release(static_cast<char *>(object) - sizeof(__cxa_refcounted_exception));
}

__cxa_dependent_exception *__cxxabiv1::__cxa_allocate_dependent_exception() noexcept {
  void *memory = allocate(sizeof(__cxa_dependent_exception));
  return static_cast<__cxa_dependent_exception *>(
      std::memset(memory, 0, sizeof(__cxa_dependent_exception)));
}

void __cxxabiv1::__cxa_free_dependent_exception(__cxa_dependent_exception *exception) noexcept {
  release(exception);
}

} // extern "C"
