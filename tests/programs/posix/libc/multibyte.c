//@ native: yes
// Multibyte conversion in UTF-8: lengths, states, invalid and cut sequences.
#include "../check.h"
#include <locale.h>
#include <wchar.h>

static void decode(const char *bytes, size_t n) {
  wchar_t wc = 0;
  mbstate_t state = {0};
  errno = 0;
  size_t r = mbrtowc(&wc, bytes, n, &state);
  if (r == (size_t)-1)
    printf("%s\n", errno_name(errno));
  else if (r == (size_t)-2)
    printf("cut, initial %d\n", mbsinit(&state) != 0);
  else
    printf("%zu U+%04X\n", r, (unsigned)wc);
}

int main(void) {
  need(setlocale(LC_ALL, "C.UTF-8") != 0, "setlocale");
  NUM(MB_CUR_MAX >= 4);
  decode("a", 1), decode("\xc3\xa9", 2), decode("\xe2\x82\xac", 3), decode("\xf0\x9f\x98\x80", 4),
      decode("", 1);
  decode("\xc3", 1), decode("\xe2\x82", 2), decode("\xff", 1), decode("\xc0\x80", 2),
      decode("\xed\xa0\x80", 3), decode("\x80", 1);
  decode("\xc3(", 2);
  mbstate_t state = {0};
  wchar_t wc = 0;
  NUM(mbrtowc(&wc, "\xe2", 1, &state) == (size_t)-2);
  NUM(mbrtowc(&wc, "\x82", 1, &state) == (size_t)-2);
  NUM(mbrtowc(&wc, "\xac", 1, &state));
  NUM(wc == 0x20ac);
  wchar_t wide[16];
  char narrow[32];
  NUM(mbstowcs(wide, "gr\xc3\xbc\xc3\x9f", 16));
  NUM(wcstombs(narrow, wide, sizeof narrow));
  bytes("narrow", narrow, strlen(narrow));
  NUM(mbstowcs(0, "\xe2\x82\xac\xe2\x82\xac", 0));
  NUM((long)mbstowcs(wide, "a\xff", 16));
  NUM(wctomb(narrow, 0x1f600));
  NUM(wctomb(narrow, (wchar_t)0xd800));
  NUM(mblen("\xe2\x82\xac", 3));
  const char *source = "ab\xe2\x82\xac";
  NUM(mbsrtowcs(wide, &source, 2, &state));
  NUM(source != 0 && *source == '\xe2');
  return 0;
}
