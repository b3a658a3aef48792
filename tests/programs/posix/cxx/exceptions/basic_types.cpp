//@ cflags: -std=c++17
//@ opt: O0 O2
// Exceptions of basic types are taken by handlers of exactly their type: nothing is converted.
#include <cstdio>

enum Colour { RED, GREEN };
enum class Level : char { LOW = 'l' };

volatile int which;

static void raise() {
  switch (which) {
  case 0: throw 7;
  case 1: throw 8L;
  case 2: throw 9u;
  case 3: throw 'c';
  case 4: throw 2.5;
  case 5: throw 3.5f;
  case 6: throw GREEN;
  case 7: throw Level::LOW;
  case 8: throw true;
  case 9: throw "text";
  }
}

int main() {
  for (which = 0; which < 11; which = which + 1) {
    try {
      raise();
      std::puts("nothing");
    } catch (int value) {
      std::printf("int %d\n", value);
    } catch (long value) {
      std::printf("long %ld\n", value);
    } catch (unsigned value) {
      std::printf("unsigned %u\n", value);
    } catch (double value) {
      std::printf("double %g\n", value);
    } catch (Colour value) {
      std::printf("colour %d\n", value);
    } catch (Level value) {
      std::printf("level %c\n", (char)value);
    } catch (const char *text) {
      std::printf("text %s\n", text);
    } catch (char value) {
      std::printf("char %c\n", value);
    } catch (...) {
      std::printf("another type: %d\n", which);
    }
  }
}
