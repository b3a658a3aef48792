//@ native: yes
// Wide strings and the classes of characters.
#include "../check.h"
#include <locale.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  need(setlocale(LC_ALL, "C.UTF-8") != 0, "setlocale");
  wchar_t a[32] = L"hello", *rest;
  NUM(wcslen(a));
  wcscat(a, L" world");
  NUM(wcscmp(a, L"hello world"));
  NUM(wcschr(a, L'w') - a);
  NUM(wcsstr(a, L"lo w") - a);
  NUM(wcsrchr(a, L'o') - a);
  NUM(wcsspn(a, L"hel"));
  NUM(wcsncmp(a, L"help", 3));
  NUM(wmemcmp(a, L"hello", 5));
  wmemset(a, L'x', 3);
  printf("%ls\n", a);
  wchar_t list[] = L"a,b,,c", *save;
  for (wchar_t *t = wcstok(list, L",", &save); t; t = wcstok(0, L",", &save))
    printf("[%ls]", t);
  puts("");
  NUM(wcstol(L" -42x", &rest, 10));
  printf("%ls %g\n", rest, wcstod(L"2.5e1", 0));
  printf("%d%d%d%d\n", iswalpha(L'a') != 0, iswdigit(L'5') != 0, iswspace(L' ') != 0, iswpunct(L'!') != 0);
  printf("%d%d%d\n", iswalpha(0xe9) != 0, iswupper(0xc9) != 0, iswlower(0xe9) != 0);
  printf("%x %x %lc\n", (unsigned)towupper(0xe9), (unsigned)towlower(0xc9), towupper(L'z'));
  NUM(iswctype(L'7', wctype("digit")) != 0);
  NUM(wcwidth(L'a'));
  NUM(wcwidth(0x4e2d));
  NUM(btowc('A') == L'A');
  NUM(wctob(L'A'));
  wchar_t *copy = wcsdup(L"copy");
  printf("%ls\n", copy);
  free(copy);
  return 0;
}
