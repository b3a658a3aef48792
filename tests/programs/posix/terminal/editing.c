// The keys that edit a line: for a word, for quoting, for showing it again, for other ends of it.
#include "keys.h"
#include <pty.h>

// Types something, and says what is shown of it.
static void echoed(const char *text) {
  typed(text);
  shown();
}

static void change(unsigned on, unsigned off) {
  struct termios settings;
  need(tcgetattr(slave, &settings) == 0, "tcgetattr");
  settings.c_lflag = (settings.c_lflag | on) & ~off;
  settings.c_cc[VEOL] = ';';
  settings.c_cc[VEOL2] = '!';
  need(tcsetattr(slave, TCSANOW, &settings) == 0, "tcsetattr");
}

int main(void) {
  need(openpty(&master, &slave, NULL, NULL, NULL) == 0, "openpty");
  echoed("one two_2, three  \x17");
  echoed("\x17more\n");
  got();
  echoed("\x17\n");
  got();
  echoed("a\x16\x03" "b\x16\x7f" "c");
  echoed("\x7f\x7f\n");
  got();
  echoed("again\x12 and\n");
  got();
  echoed("\x16\n\n");
  got();
  echoed("gone\x15" "kept\n");
  got();
  change(0, 0);
  echoed("one;two!three\n");
  got();
  got();
  got();
  change(0, IEXTEN);
  echoed("a\x17" "b!c;");
  got();
  change(IEXTEN, ECHOE);
  echoed("ab\x7f\n");
  got();
  change(0, ECHOKE);
  echoed("ab\x15" "c\n");
  got();
  change(0, ECHOK);
  echoed("ab\x15" "d\n");
  got();
  change(ECHOE, ECHOCTL);
  echoed("a\x01\x7f\x16\x02\n");
  got();
  change(0, ECHO);
  echoed("a b\x17" "c\x12\n");
  got();
  return 0;
}
