//@ native: yes
// Wide output and input of a file in UTF-8, and the orientation of a stream.
#include "../check.h"
#include <locale.h>
#include <wchar.h>

int main(void) {
  need(setlocale(LC_CTYPE, "C.UTF-8") != 0, "setlocale");
  FILE *f = fopen("file", "w");
  NUM(fwide(f, 0));
  NUM(fwprintf(f, L"gr\u00fc\u00df %d \u20ac\n", 7));
  NUM(fputwc(L'\u4e2d', f) == L'\u4e2d');
  NUM(fwide(f, 0) > 0);
  fclose(f);
  cat("file");
  f = fopen("file", "r");
  wchar_t line[16];
  IS(fgetws(line, 16, f) == line);
  NUM(wcslen(line));
  NUM(line[2] == 0xfc);
  NUM(fgetwc(f) == 0x4e2d);
  NUM(fgetwc(f) == WEOF);
  fclose(f);
  put("file", "a\xff");
  f = fopen("file", "r");
  NUM(fgetwc(f) == L'a');
  errno = 0;
  NUM(fgetwc(f) == WEOF);
  puts(errno_name(errno));
  fclose(f);
  int a = 0;
  wchar_t word[8];
  NUM(swscanf(L"12 abc", L"%d %ls", &a, word));
  NUM(a);
  wchar_t out[16];
  NUM(swprintf(out, 16, L"%d %ls %s", 5, L"w", "n"));
  printf("%ls\n", out);
  NUM(swprintf(out, 3, L"%d", 12345));
  return 0;
}
