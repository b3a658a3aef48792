// All fields that are looked at were written.
//@ args: --check uninitialized
//@ native: yes
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
  if (s.height > 10)
    yes = 2;
  return 0;
}
