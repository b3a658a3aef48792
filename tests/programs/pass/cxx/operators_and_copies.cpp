//@ native: yes
//@ cflags: -fno-exceptions -fno-rtti
// Copy and move construction and assignment of a class that owns memory.
#include <stdio.h>
#include <string.h>

class Text {
  char *data;

public:
  explicit Text(const char *s) : data(new char[strlen(s) + 1]) { strcpy(data, s); }
  Text(const Text &o) : Text(o.data) { printf("copy "); }
  Text(Text &&o) : data(o.data) { o.data = nullptr; printf("move "); }
  Text &operator=(Text o) {
    char *t = data;
    data = o.data;
    o.data = t;
    return *this;
  }
  Text operator+(const Text &o) const {
    char joined[32];
    strcpy(joined, data);
    strcat(joined, o.data);
    return Text(joined);
  }
  char operator[](int i) const { return data[i]; }
  const char *get() const { return data ? data : "none"; }
  ~Text() { delete[] data; }
};

int main() {
  Text a("ab"), b("cd"), c = a;
  c = a + b;
  Text d(static_cast<Text &&>(a));
  printf("%s %s %s %c\n", a.get(), c.get(), d.get(), c[3]);
  return 0;
}
