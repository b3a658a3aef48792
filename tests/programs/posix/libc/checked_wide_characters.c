//@ native: yes
// What _FORTIFY_SOURCE turns functions on wide characters into, called by name.
#include "../check.h"
#include <wchar.h>
int __swprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, ...);
wchar_t *__wcpcpy_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcsncat_chk(wchar_t *, const wchar_t *, size_t, size_t);
size_t __wcsnrtombs_chk(char *, const wchar_t **, size_t, size_t, mbstate_t *, size_t);
long __fdelt_chk(long);

int main(void) {
  wchar_t wide[16];
  char text[16];
  NUM(__swprintf_chk(wide, 16, 1, 16, L"%d-%ls", 12, L"ab"));
  NUM(__wcpcpy_chk(wide + 5, L"xyz", 11) - wide);
  NUM(wcslen(__wcsncat_chk(wide, L"12345", 2, 16)));
  const wchar_t *from = wide;
  mbstate_t state;
  memset(&state, 0, sizeof state);
  NUM(__wcsnrtombs_chk(text, &from, 16, 16, &state, 16));
  puts(text);
  NUM(__fdelt_chk(70));
  return 0;
}
