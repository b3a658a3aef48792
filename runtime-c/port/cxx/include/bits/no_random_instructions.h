/* std::random_device takes its numbers from the kernel, which a run decides about, and not from a processor. */
#include <bits/c++config.h>
#undef _GLIBCXX_X86_RDRAND
#undef _GLIBCXX_X86_RDSEED
