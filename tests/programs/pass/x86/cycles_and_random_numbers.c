//@ native: no
//@ cflags: -mrdrnd
// The counter of cycles is the clock of the machine, also in assembly, and rdrand always succeeds.
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

int main(void) {
  unsigned low, high, processor = 7;
  __asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
  unsigned long first = (unsigned long)high << 32 | low;
  struct timespec second = {1, 0};
  nanosleep(&second, 0);
  unsigned long later = __rdtsc();
  if (later - first < 1000000000 || later - first > 1001000000)
    abort();
  __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
  if (processor != 0 || ((unsigned long)high << 32 | low) < later || __builtin_readcyclecounter() < later)
    abort();
  unsigned again;
  if (__rdtscp(&again) < later || again != 0)
    abort();
  unsigned long long a, b;
  if (!_rdrand64_step(&a) || !_rdrand64_step(&b) || a == b)
    abort();
  return 0;
}
