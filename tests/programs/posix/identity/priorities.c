//@ native: yes
// nice and setpriority make a process weaker; only privilege makes it stronger again.
#include "../check.h"
#include <sched.h>
#include <sys/resource.h>

int main(void) {
  be_ordinary_user();
  errno = 0;
  int start = getpriority(PRIO_PROCESS, 0);
  IS(errno == 0 && start <= 15);
  IS(nice(1) == start + 1);
  IS(getpriority(PRIO_PROCESS, 0) == start + 1);
  IS(getpriority(PRIO_PROCESS, getpid()) == start + 1);
  IS(setpriority(PRIO_PROCESS, 0, start + 3) == 0 && getpriority(PRIO_PROCESS, 0) == start + 3);
  SHOW(setpriority(PRIO_PROCESS, 0, 100));
  SHOW(getpriority(PRIO_PROCESS, 0));
  SHOW(setpriority(PRIO_PROCESS, 0, -100));
  SHOW(getpriority(99, 0));
  SHOW(setpriority(99, 0, 0));
  SHOW(getpriority(PRIO_PROCESS, 99999999));
  SHOW(setpriority(PRIO_PROCESS, 99999999, 0));
  SHOW(sched_yield());
  SHOW(sched_get_priority_max(SCHED_FIFO));
  SHOW(sched_get_priority_min(SCHED_FIFO));
  SHOW(sched_get_priority_max(SCHED_OTHER));
  SHOW(sched_get_priority_max(99));
  cpu_set_t set;
  IS(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0);
  SHOW(sched_getaffinity(99999999, sizeof set, &set));
  return 0;
}
