/* libstdc++'s own, which lies elsewhere before it is installed. */
#include <c++locale_internal.h>
