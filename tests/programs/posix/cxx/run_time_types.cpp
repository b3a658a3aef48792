//@ native: yes
//@ cflags: -std=c++17
// dynamic_cast down, across and into virtual bases, and typeid.
#include <any>
#include <cstdio>
#include <typeindex>
#include <typeinfo>

struct A {
  virtual ~A() {}
  int a;
};
struct B : A {
  int b;
};
struct C : A {
  int c;
};
struct D : B, C {
  int d;
};
struct V : virtual A {};
struct W : virtual A {};
struct X : V, W {
  int x;
};
struct Y : X, D {};
struct Z {
  virtual ~Z() {}
};
struct Hidden : private Z, public X {};

template <class To, class From> static void cast(const char *name, From *from) {
  To *to = dynamic_cast<To *>(from);
  long offset = to ? (char *)to - (char *)dynamic_cast<void *>(from) : -1;
  std::printf("%s: %ld\n", name, offset);
}

int main() {
  D d;
  cast<D>("B to D", static_cast<B *>(&d));
  cast<C>("B to C", static_cast<B *>(&d));
  cast<D>("A of C to D", static_cast<A *>(static_cast<C *>(&d)));
  cast<C>("A of B to C", static_cast<A *>(static_cast<B *>(&d)));
  cast<Z>("B to Z", static_cast<B *>(&d));
  X x;
  cast<X>("A to X", static_cast<A *>(&x));
  cast<W>("V to W", static_cast<V *>(&x));
  cast<B>("A to B", static_cast<A *>(&x));
  Y y;
  cast<D>("V to D", static_cast<V *>(&y));
  cast<B>("A of X to B", static_cast<A *>(static_cast<X *>(&y)));
  cast<W>("C to W", static_cast<C *>(&y));
  Hidden hidden;
  cast<Z>("X to hidden Z", static_cast<X *>(&hidden));
  cast<Hidden>("W to Hidden", static_cast<W *>(&hidden));
  const B &known = d;
  std::printf("%s %d\n", typeid(known).name(), typeid(known) == typeid(D));
  std::printf("%d\n", typeid(long *) == typeid(int *));
  std::any any = "text";
  std::printf("%d %d\n", any.type() == typeid(const char *), std::any_cast<int>(&any) == nullptr);
  std::printf("%d\n", std::type_index(typeid(A)) == std::type_index(typeid(B)));
}
