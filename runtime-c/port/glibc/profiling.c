/* What profiled and instrumented programs call. Nothing is counted. */
#include <stddef.h>

void __cyg_profile_func_enter(void *function, void *caller) {}
void __cyg_profile_func_exit(void *function, void *caller) {}
void __monstartup(unsigned long low, unsigned long high) {}
void monstartup(unsigned long low, unsigned long high) {}
void moncontrol(int on) {}
void _mcleanup(void) {}
void mcount(void) {}
void _mcount(void) {}
void __fentry__(void) {}
int profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale) { return 0; }
