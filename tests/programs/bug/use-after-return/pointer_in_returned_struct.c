//@ opt: O0
// A struct returned by value still points into the finished frame.
struct view { const char *text; int length; };

static struct view make(char c) {
  char text[4] = {c, c, c, 0};
  struct view v = {text, 3};
  return v;
}

int main(void) {
  struct view v = make('x');
  return v.text[1]; // expect: bug use-after-return
}
