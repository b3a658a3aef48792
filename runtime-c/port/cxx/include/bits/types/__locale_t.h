/* glibc's locale_t as libstdc++ looks into it: at three tables of characters. musl's has none, as all of its
 * locales have the same. */
#pragma once
#define _BITS_TYPES___LOCALE_T_H 1

extern "C" {
extern const unsigned short **__ctype_b_loc() throw();
extern const int **__ctype_tolower_loc() throw();
extern const int **__ctype_toupper_loc() throw();
}

struct __locale_struct {
  const unsigned short *kinds() const { return *__ctype_b_loc(); }
  const int *lower_case() const { return *__ctype_tolower_loc(); }
  const int *upper_case() const { return *__ctype_toupper_loc(); }
};
#define __ctype_b kinds()
#define __ctype_tolower lower_case()
#define __ctype_toupper upper_case()

typedef struct __locale_struct *__locale_t;
