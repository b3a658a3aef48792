/* glibc's brings the types of the system and of schedulers with it. */
#include_next <spawn.h>
#include <sched.h>
#include <sys/types.h>
