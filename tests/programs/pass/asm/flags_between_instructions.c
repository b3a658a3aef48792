//@ native: yes
// Sequences of instructions on registers, the flags between them, and parts of registers.
#include <stdint.h>
#include <stdio.h>

volatile uint64_t numbers[] = {0, 1, 0x7fffffffffffffff, 0x8000000000000000, ~0ul, 0x123456789abcdef0, 0xff00ff};

static void pair(uint64_t a, uint64_t b) {
  uint64_t x = a, y = b, z;
  uint32_t s = (uint32_t)a;
  uint16_t h = (uint16_t)a;
  unsigned char c1, c2, c3;
  __asm__("addq %4, %0\n\tadcq $0, %1\n\tsetc %2" : "+r"(x), "+r"(y), "=q"(c1), "=r"(z) : "r"(b), "3"(0ul) : "cc");
  printf("%lx %lx %d", x, y, c1);
  x = a;
  __asm__("subq %2, %0\n\tsbbq %1, %1" : "+r"(x), "=r"(y) : "r"(b), "1"(0ul) : "cc");
  printf(" | %lx %lx", x, y);
  x = a;
  __asm__("negq %0\n\tnotq %1" : "+r"(x), "+r"(y) : : "cc");
  printf(" | %lx %lx", x, y);
  __asm__("cmpq %3, %2\n\tsetl %0\n\tseta %1" : "=q"(c1), "=q"(c2) : "r"(a), "r"(b) : "cc");
  __asm__("testq %1, %2\n\tsetne %0" : "=q"(c3) : "r"(a), "r"(b) : "cc");
  printf(" | %d%d%d", c1, c2, c3);
  int below, signs, over;
  x = a;
  __asm__("subq %4, %3" : "=@ccb"(below), "=@ccs"(signs), "=@cco"(over), "+r"(x) : "r"(b));
  printf(" | %d%d%d", below, signs, over);
  __asm__("rorw $8, %w0" : "+r"(s) : : "cc");
  __asm__("xchgb %b0, %h0" : "+Q"(h));
  printf(" | %x %x", s, h);
  s = (uint32_t)a;
  __asm__("rorw $8, %w0\n\trorl $16, %0\n\trorw $8, %w0" : "+r"(s) : : "cc");
  printf(" | %x", s);
  x = a, y = b;
  __asm__("xchgq %0, %1\n\timulq %1, %0" : "+r"(x), "+r"(y) : : "cc");
  printf(" | %lx %lx", x, y);
  x = a;
  __asm__("btq %2, %1\n\tsbbq %0, %0" : "=r"(y) : "r"(x), "r"(b & 63), "0"(0ul) : "cc");
  __asm__("shlq $3, %0\n\tshrq $1, %0\n\tsarq $2, %0" : "+r"(x) : : "cc");
  printf(" | %lx %lx", x, y);
  x = a;
  __asm__("cmpq %1, %0\n\tcmovb %1, %0" : "+r"(x) : "r"(b) : "cc");
  z = b;
  __asm__("incq %0\n\tdecl %k1" : "+r"(z), "+r"(y) : : "cc");
  printf(" | %lx %lx %lx\n", x, z, y);
  uint64_t low, high, sum = 7;
  __asm__("mulq %4\n\taddq %5, %0\n\tadcq $0, %1\n\taddq %0, %2"
          : "=&a"(low), "=&d"(high), "+&r"(sum)
          : "0"(a), "r"(b), "r"(~0ul)
          : "cc");
  printf("  %lx %lx %lx\n", low, high, sum);
}

int main(void) {
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++)
      pair(numbers[i], numbers[j]);
  uint64_t found = 99;
  __asm__("bsrq %1, %0" : "+r"(found) : "r"(numbers[5]) : "cc");
  printf("%lu\n", found);
  return 0;
}
