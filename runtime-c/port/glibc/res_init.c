/* The resolver's set-up as programs for glibc call it. */
#include <resolv.h>

int __res_init(void) { return res_init(); }
