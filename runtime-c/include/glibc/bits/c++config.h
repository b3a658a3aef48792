// libstdc++'s own, but for one thing: templates that its library has are compiled with the program, since
// the engine has no such library.
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
