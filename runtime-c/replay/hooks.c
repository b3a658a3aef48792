/* The functions that klee/klee.h and netklee.h call in a native program (runtime-c/native) while it is replayed. */
#include "turn.h"

/* Shows data to invariants: it must be the same as in the script. */
EXPORT void everett_replay_expose(int state, const char *key, const void *data, size_t size) {
  if (!replaying())
    return;
  const event *e = turn_whole(EVERETT_API_klee_invariant_expose_data);
  if (e->data2_bytes != length_of(key) || memcmp(event_data2(e), key, e->data2_bytes) != 0)
    turn_diverge("it exposes %s, expected %s", key, e->data2_bytes > 0 ? (const char *)event_data2(e) : "another key");
  if ((int)e->aux[0] != state)
    turn_diverge("it exposes %s in state %d, expected %d", key, (int64_t)state, (int64_t)e->aux[0]);
  size_t at = 0;
  if (e->data_bytes != size || !same_bytes(e, data, size, &at))
    turn_diverge("it exposes %s with other data", key);
  turn_pass(e);
}

/* Gives the program an input: that of this thread, whatever others have asked for. */
EXPORT int everett_replay_input(void *to, size_t size, const char *name) {
  if (!replaying())
    return 0;
  if (size == 0)
    return 1;
  const event *e = turn_whole(EVERETT_API_klee_make_symbolic);
  if (e->data_bytes != size)
    turn_diverge("%s has %u bytes, expected %u", name, (uint64_t)size, (uint64_t)e->data_bytes);
  if (e->data2_bytes != length_of(name) || memcmp(event_data2(e), name, e->data2_bytes) != 0)
    turn_diverge("it asks for %s, expected %s", name,
                 e->data2_bytes > 0 ? (const char *)event_data2(e) : "another input");
  memcpy(to, event_data(e), size);
  turn_pass(e);
  return 1;
}

/* Gives the program of a live node what its peer has answered, of any size. */
EXPORT size_t everett_replay_answer(void *to, size_t capacity) {
  const event *e = turn_whole(EVERETT_API_klee_make_symbolic);
  size_t size = e->data_bytes < capacity ? e->data_bytes : capacity;
  memcpy(to, event_data(e), size);
  turn_pass(e);
  return size;
}

/* What is between the two calls is done by the native part of klee/klee.h or netklee.h for itself. */
EXPORT void everett_replay_apart(int begins) { self.apart += begins ? 1 : -1; }
