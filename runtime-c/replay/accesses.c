/* Threads that are switched at accesses to memory.
 *
 * A program in which that happens is compiled with a call around each access that the script names. An event names
 * an access by its number, and says which one of those is meant that the thread makes there after its last event. */
#include "turn.h"

/* Accesses that a race may be found with later, each place once. */
enum { SEEN_MAX = 4096 };
static struct seen {
  uintptr_t address;
  uint32_t bytes, access, thread;
} seen[SEEN_MAX];
static uint32_t seen_count;

static int overlap(const struct seen *a, const struct seen *b) {
  return a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

/* Who has the turn may change the list. */
static void remember(struct seen one) {
  for (uint32_t i = 0; i < seen_count; i++)
    if (memcmp(&seen[i], &one, sizeof one) == 0)
      return;
  if (seen_count < SEEN_MAX)
    seen[seen_count++] = one;
}

/* Two threads have accessed the same bytes, and nothing orders them: the script ends here. */
_Noreturn static void race(const event *e, struct seen now) {
  uint32_t earlier = (uint32_t)e->aux[0];
  int is_known = 0, is_same = 0;
  for (uint32_t i = 0; i < seen_count; i++)
    if (seen[i].thread == earlier && seen[i].access == (uint32_t)e->aux[3]) {
      is_known = 1;
      /* Not every access tells where it is. */
      is_same |= seen[i].bytes == 0 || now.bytes == 0 || overlap(&seen[i], &now);
    }
  /* Processes have lists of their own. */
  int is_here = earlier < script->threads && thread_entry(earlier)->process == thread_entry(self.thread)->process;
  if (is_here && !is_known)
    turn_diverge("it races with an access that has not happened");
  if (is_here && !is_same)
    turn_diverge("it accesses other bytes than the thread that it races with");
  turn_stop(e);
}

/* True if an event is about this side of this access. */
static int is_about(const event *e, uint32_t access, uint32_t is_after) {
  int is_access = e->api == EVERETT_RACE || (e->api == EVERETT_PREEMPT && e->aux[0] == 0);
  return is_access && e->aux[1] == is_after && e->aux[2] == access;
}

EXPORT void everett_replay_access(uint32_t access, uint32_t is_after, const void *address, uint32_t bytes) {
  if (!replaying() || self.apart)
    return;
  struct seen now = {(uintptr_t)address, bytes, access, self.thread};
  int is_counted = 0;
  for (const event *e; (e = turn_head()) && is_about(e, access, is_after);) {
    uint32_t number = event_number(e);
    if (self.access_event != number) {
      self.access_event = number;
      self.accesses = 0;
    }
    self.accesses += !is_counted;
    is_counted = 1;
    if (self.accesses != e->ordinal)
      break;
    if (e->api == EVERETT_RACE)
      race(e, now);
    turn_preempt(e);
  }
  if (is_after)
    remember(now);
}
