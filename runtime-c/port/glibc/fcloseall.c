/* Everything that is open is written out; closing it is left to the end of the process. */
#include <stdio.h>

int fcloseall(void) { return fflush(0); }
