//@ native: yes
// Packed members are accessed unaligned, and an aligned struct is padded.
#include <stdint.h>
#include <stdio.h>

struct __attribute__((packed)) packed { char c; uint32_t w; uint16_t h; uint64_t q; };
struct aligned { char c __attribute__((aligned(32))); int n; };

struct packed p;
struct aligned a[2];
volatile uint32_t seed = 0xdeadbeef;

int main(void) {
  p.w = seed;
  p.h = (uint16_t)seed;
  p.q = (uint64_t)seed << 16;
  p.c = 1;
  printf("%zu %x %x %lx\n", sizeof p, p.w, p.h, (unsigned long)p.q);
  unsigned char *bytes = (unsigned char *)&p;
  printf("%x %x %x\n", bytes[1], bytes[5], bytes[9]);
  printf("%zu %lu\n", sizeof a[0], (unsigned long)((uintptr_t)&a[1] % 32));
  return 0;
}
