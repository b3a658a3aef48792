//@ native: yes
//@ opt: O0 O2
// Sums, differences, products and quotients of double words, as libraries of long integers write them.
#include <stdio.h>

typedef unsigned long word;

volatile word v[4] = {0xfedcba9876543210UL, 0x8000000000000001UL, 0x0123456789abcdefUL, 3};

int main(void) {
  word a = v[0], b = v[1], c = v[2], d = v[3];
  word high, low;
  __asm__("addq %5,%q1\n\tadcq %3,%q0"
          : "=r"(high), "=&r"(low)
          : "0"(c), "rme"(d), "%1"(a), "rme"(b));
  printf("sum %lx %lx\n", high, low);
  __asm__("subq %5,%q1\n\tsbbq %3,%q0"
          : "=r"(high), "=&r"(low)
          : "0"(c), "rme"(d), "1"(b), "rme"(a));
  printf("difference %lx %lx\n", high, low);
  __asm__("mulq %3" : "=a"(low), "=d"(high) : "%0"(a), "rm"(b));
  printf("product %lx %lx\n", high, low);
  word quotient, rest;
  __asm__("divq %4" : "=a"(quotient), "=d"(rest) : "0"(a), "1"(d), "rm"(b));
  printf("quotient %lx %lx\n", quotient, rest);
  return 0;
}
