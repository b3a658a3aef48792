// A field of a struct that its constructor forgets.
//@ args: --check uninitialized
static volatile int yes;

struct shape { int kind, width, height; };

__attribute__((noinline)) static void make(struct shape *s, int kind) {
  s->kind = kind;
  s->height = 3;
}

int main(void) {
  struct shape s;
  make(&s, 7);
  if (s.kind == 7)
    yes = 1;
  if (s.width > 10) // expect: bug uninitialized
    // expect: message contains "offset 4 of local variable 's' of 12 bytes"
    yes = 2;
  return 0;
}
