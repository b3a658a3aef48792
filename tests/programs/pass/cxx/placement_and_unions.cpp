//@ native: yes
//@ cflags: -fno-exceptions -fno-rtti
// Objects built in raw storage and destroyed by hand; an enum class and a union of classes.
#include <stdio.h>
typedef __SIZE_TYPE__ size_type;
inline void *operator new(size_type, void *where) noexcept { return where; }

enum class Kind : unsigned char { number, pair };

struct Pair { int a, b; Pair(int x, int y) : a(x), b(y) {} ~Pair() { printf("~pair\n"); } };

struct Variant {
  Kind kind;
  union { long number; Pair pair; };
  explicit Variant(long n) : kind(Kind::number), number(n) {}
  Variant(int a, int b) : kind(Kind::pair), pair(a, b) {}
  ~Variant() { if (kind == Kind::pair) pair.~Pair(); }
  long total() const { return kind == Kind::pair ? pair.a + pair.b : number; }
};

alignas(Pair) unsigned char storage[sizeof(Pair)];
volatile int n = 30;

int main() {
  Pair *p = new (storage) Pair(n, 2);
  printf("%d\n", p->a + p->b);
  p->~Pair();
  Variant a(7), b(n, 4);
  printf("%ld %ld\n", a.total(), b.total());
  return 0;
}
