//@ cflags: -std=c++17
// A handler of a virtual base finds the one base of an exception, by reference and by pointer.
#include <cstdio>

struct Root {
  int root = 1;
  virtual ~Root() {}
  virtual const char *name() const { return "Root"; }
};
struct Left : virtual Root {
  int left = 2;
};
struct Right : virtual Root {
  int right = 3;
  const char *name() const override { return "Right"; }
};
struct Bottom : Left, Right {
  int bottom = 4;
  Bottom() { root = 11; }
  const char *name() const override { return "Bottom"; }
};

static Bottom global;

int main() {
  try {
    throw Bottom();
  } catch (const Root &error) {
    std::printf("%s %d\n", error.name(), error.root);
  }
  try {
    throw Bottom();
  } catch (Right &error) {
    std::printf("%s %d %d\n", error.name(), error.root, error.right);
  }
  try {
    throw &global;
  } catch (Left *error) {
    std::printf("%s %d %d\n", error->name(), error->root, dynamic_cast<Bottom *>(error)->bottom);
  }
  try {
    throw &global;
  } catch (const Root *error) {
    std::printf("%s %d\n", error->name(), error == &global);
  }
  try {
    throw Bottom();
  } catch (Root error) {
    std::printf("%s %d\n", error.name(), error.root);
  }
}
