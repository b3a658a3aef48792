/* Included before a file whose function gets another name: it must not claim the usual one as well. */
#include <features.h>
#undef weak_alias
#define weak_alias(old, new) extern __typeof(old) old
