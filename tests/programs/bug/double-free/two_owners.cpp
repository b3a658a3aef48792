//@ cflags: -fno-exceptions -fno-rtti
// A class that owns memory is copied without a copy constructor.
struct Owner {
  int *volatile data;
  Owner() : data(new int(1)) {}
  __attribute__((noinline)) ~Owner() {
    delete data; // expect: bug double-free
  }
};

int main() {
  Owner a;
  {
    Owner b = a;
  }
  return 0;
}
