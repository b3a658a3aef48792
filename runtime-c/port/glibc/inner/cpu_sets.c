/* Sets of processors of any size: the macros of glibc's <sched.h> call these. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>

cpu_set_t *__sched_cpualloc(size_t count) {
  size_t word = 8 * sizeof(unsigned long);
  return malloc((count + word - 1) / word * sizeof(unsigned long));
}
void __sched_cpufree(cpu_set_t *set) { free(set); }
