// Writing a member at an offset from a null struct pointer.
struct s { char pad[64]; int member; };
struct s *volatile p;

int main(void) {
  p->member = 1; // expect: bug null-pointer
  return 0;
}
