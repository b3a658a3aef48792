//@ cflags: -std=c++17
// If an element of an array cannot be made, those before it are destroyed, and new gives its memory back.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>

static int made, bad, blocks;

struct Element {
  int id;
  Element() : id(made++) {
    if (id == bad)
      throw "no more";
    std::printf("+%d ", id);
  }
  ~Element() { std::printf("-%d ", id); }
  static void *operator new[](std::size_t size) {
    blocks++;
    return std::malloc(size);
  }
  static void operator delete[](void *memory) {
    blocks--;
    std::free(memory);
  }
};

struct Matrix {
  Element rows[2][2];
};

template <class Make> static void attempt(int at, Make make) {
  made = 0;
  bad = at;
  try {
    make();
    std::printf("made");
  } catch (const char *text) {
    std::printf("%s", text);
  }
  std::printf(", %d blocks\n", blocks);
}

volatile int count = 4;

int main() {
  attempt(2, [] { Element array[3]; });
  attempt(3, [] { delete[] new Element[count]; });
  attempt(4, [] { delete[] new Element[count]; });
  attempt(3, [] { Matrix matrix; });
  attempt(5, [] { std::make_unique<Matrix[]>(count); });
}
