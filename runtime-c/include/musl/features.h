/* The older name of _DEFAULT_SOURCE, which glibc still takes. */
#if defined(_SVID_SOURCE) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE 1
#endif
#include_next <features.h>
