/* The judgement of a replay: compares its end with the expected one. */
#include "conductor.h"

enum { SETTLE_NS = 2000000000, HANG_NS = 2000000000 };

static struct everett_thread *thread_at(uint32_t thread) {
  return (struct everett_thread *)((char *)script + script->threads_at) + thread;
}

static const struct everett_event *head_event(void) {
  uint32_t head = __atomic_load_n(&script->head, __ATOMIC_SEQ_CST);
  return head < script->events
             ? (const struct everett_event *)((char *)script + script->events_at) + head
             : NULL;
}

#define TABLE_NAME(number, name, kind) [number] = #name,
static const char *const names[] = {[EVERETT_START] = "begin",
                                    [EVERETT_EXIT] = "exit",
                                    [EVERETT_THREAD_EXIT] = "pthread_exit",
                                    EVERETT_APIS(TABLE_NAME)};

static const char *call(uint32_t api) {
  return api < sizeof names / sizeof names[0] && names[api] ? names[api] : "something";
}

static struct node *node_named(const char *name) {
  for (uint32_t i = 0; i < plan.node_count; i++)
    if (same_text(plan.nodes[i].name, name))
      return &plan.nodes[i];
  give_up("there is no node %s", name);
}

/* Describes what a thread is doing. */
static void put_thread(struct text *text, const struct everett_thread *thread) {
  const char *name = plan.nodes[thread->node].name;
  const struct fate *fate = plan.nodes[thread->node].fate;
  if (fate->killed_by || fate->has_ended)
    return;
  if (thread->state == THREAD_RUNS)
    text_put(text, "\n  %s runs", name);
  else if (thread->state == THREAD_ASKS)
    text_put(text, "\n  %s wants to call %s", name, call(thread->api));
  else if (thread->state == THREAD_BLOCKED)
    text_put(text, "\n  %s waits in %s", name, call(thread->api));
}

static void put_nodes(struct text *text) {
  for (uint32_t i = 0; i < plan.node_count; i++) {
    const struct node *node = &plan.nodes[i];
    if (node->fate->killed_by)
      text_put(text, "\n  %s was killed by signal %u", node->name, (uint64_t)node->fate->killed_by);
    else if (node->fate->has_ended)
      text_put(text, "\n  %s exited with %u", node->name, (uint64_t)(node->fate->status >> 8 & 255));
  }
  for (uint32_t i = 0; i < script->threads; i++)
    put_thread(text, thread_at(i));
}

static int differs(const char *format, ...) {
  char line[8192];
  struct text text = {line, sizeof line, 0};
  va_list list;
  va_start(list, format);
  text_put_list(&text, format, list);
  va_end(list);
  /* Threads that are about to wait get 50 ms to do so, and are then shown as waiting. */
  rest(50000000);
  put_nodes(&text);
  say("not reproduced: %s", line);
  return EXIT_DIFFERENT;
}

/* The script did not get to its end. */
static int stuck(void) {
  const struct everett_event *e = head_event();
  uint64_t head = script->head, events = script->events;
  const struct node *node = &plan.nodes[thread_at(e->thread)->node];
  const char *site = e->site_bytes > 0 ? (const char *)script + e->site_at : "a place that is not known";
  const char *what = e->flags & EVERETT_RETURN ? "returns from" : "calls";
  const char *why = node->fate->killed_by ? "it was killed" : node->is_up ? "it does not in time" : "it has ended";
  return differs("event %u of %u, node %s: the script expects that it %s %s at %s, but %s", head, events,
                 node->name, what, call(e->api), site, why);
}

/* Returns the standard error of a node from a text on; NULL if the text is not there. */
static char *said_from(const struct node *node, const char *wanted) {
  static char buffer[1 << 20];
  long fd = SYSTEM(open, run_path(node->name, ".err"), 0, 0);
  long size = fd < 0 ? 0 : SYSTEM(read, fd, buffer, sizeof buffer - 1);
  if (fd >= 0)
    SYSTEM(close, fd);
  buffer[size > 0 ? size : 0] = 0;
  for (long i = 0; i < size; i++)
    if (after_prefix(buffer + i, wanted))
      return buffer + i;
  return NULL;
}

/* Returns 1 if a process of a node runs that is not the one that the node has begun with. */
static int others_run(const struct node *node) {
  for (uint32_t i = 0; i < script->threads; i++) {
    const struct everett_thread *thread = thread_at(i);
    int is_there = &plan.nodes[thread->node] == node && thread->boot + 1 == node->boots_done;
    if (is_there && thread->state == THREAD_RUNS && thread->native_pid != node->fate->program)
      return 1;
  }
  return 0;
}

/* Waits until a node has ended, or all of its processes have; 0 if it does not in time. */
static int ends_in_time(const struct node *node, int all) {
  uint64_t until = host_time_ns() + (uint64_t)script->own[OWN_PATIENCE_MS] * 1000000u;
  while (host_time_ns() < until || settings.gdb) {
    if (node->fate->killed_by || (node->fate->has_ended && !(all && others_run(node))))
      return 1;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < script->threads; i++)
      if (&plan.nodes[thread_at(i)->node] == node && thread_at(i)->state == THREAD_ASKS)
        waiting++;
    /* It has got past the place, and wants to go on. */
    if (waiting > 0)
      return 0;
    rest(1000000);
  }
  return 0;
}

/* The line in which a sanitizer sums up what it has found, or NULL. */
static const char *sanitizer_line(const struct node *node) {
  char *line = said_from(node, "SUMMARY: ");
  for (char *end = line; end && *end; end++)
    if (*end == '\n')
      *end = 0;
  return line;
}

static int judge_crash(void) {
  enum { SIGABRT = 6 };
  const struct node *node = node_named(plan.expected_node);
  int has_ended = ends_in_time(node, 1);
  uint32_t killed_by = node->fate->killed_by;
  if (plan.expected == EXPECT_ASSERT) {
    if (!has_ended || killed_by != SIGABRT)
      return differs("node %s does not abort", node->name);
    if (plan.expected_text && !said_from(node, plan.expected_text))
      return differs("node %s aborts, but does not say %s", node->name, plan.expected_text);
    say("reproduced: node %s aborts", node->name);
    return EXIT_REPRODUCED;
  }
  const char *line = sanitizer_line(node);
  if (line) {
    say("reproduced: node %s is stopped, %s", node->name, line);
    return EXIT_REPRODUCED;
  }
  if (!has_ended || !killed_by)
    return differs("node %s goes on: the error is not detected natively; build its program with "
                   "-fsanitize=address --libc=glibc",
                   node->name);
  say("reproduced: node %s is killed by signal %u", node->name, (uint64_t)killed_by);
  return EXIT_REPRODUCED;
}

/* True if every thread that lives waits. */
static int all_wait(void) {
  for (uint32_t i = 0; i < script->threads; i++)
    if (thread_at(i)->state == THREAD_RUNS && plan.nodes[thread_at(i)->node].is_up)
      return 0;
  return 1;
}

static int judge_deadlock(void) {
  for (uint64_t until = host_time_ns() + SETTLE_NS; !all_wait(); rest(1000000))
    if (host_time_ns() > until)
      return differs("not everybody waits");
  for (uint32_t i = 0; i < script->threads; i++)
    if (thread_at(i)->state == THREAD_ASKS && plan.nodes[thread_at(i)->node].is_up)
      return differs("node %s goes on", plan.nodes[thread_at(i)->node].name);
  const struct node *node = node_named(plan.expected_node);
  if (!node->is_up)
    return differs("node %s does not wait", node->name);
  say("reproduced: deadlock, node %s waits", node->name);
  return EXIT_REPRODUCED;
}

static int judge_hang(void) {
  const struct node *node = node_named(plan.expected_node);
  for (uint64_t until = host_time_ns() + HANG_NS; host_time_ns() < until; rest(10000000)) {
    int runs = 0;
    for (uint32_t i = 0; i < script->threads; i++)
      runs |= &plan.nodes[thread_at(i)->node] == node && thread_at(i)->state == THREAD_RUNS;
    if (!runs || node->fate->has_ended || node->fate->killed_by)
      return differs("node %s does not hang", node->name);
  }
  say("reproduced: hang, node %s computes on", node->name);
  return EXIT_REPRODUCED;
}

/* Everybody ends as is expected; those that wait, wait. */
static int judge_ends(void) {
  for (uint32_t i = 0; i < plan.end_count; i++) {
    const struct node *node = node_named(plan.ends[i].node);
    int32_t status = plan.ends[i].status;
    if (status >= 0 && (!ends_in_time(node, 0) || node->fate->status != (uint32_t)status))
      return differs("node %s should end with status %d", node->name, (int64_t)status);
    if (status < 0 && (node->fate->has_ended || node->fate->killed_by))
      return differs("node %s should still wait", node->name);
  }
  if (plan.expected == EXPECT_ENDED)
    say("reproduced: no finding, all nodes end as expected");
  else
    say("reproduced: all that invariants see is the same");
  return EXIT_REPRODUCED;
}

int judge(void) {
  if (script->state == SCRIPT_DIVERGED)
    return differs("%s", (const char *)script + script->text_at);
  const struct everett_event *e = head_event();
  if (e)
    return stuck();
  script->state = SCRIPT_DONE;
  switch (plan.expected) {
  case EXPECT_ASSERT:
  case EXPECT_MEMORY:
    return judge_crash();
  case EXPECT_DEADLOCK:
    return judge_deadlock();
  case EXPECT_HANG:
    return judge_hang();
  case EXPECT_EXPOSED:
  case EXPECT_ENDED:
    return judge_ends();
  case EXPECT_RACE:
    say("reproduced: data race, two threads of node %s access the same bytes", plan.expected_node);
    return EXIT_REPRODUCED;
  case EXPECT_ACCEPTED:
    say("reproduced: node %s accepts the message", plan.expected_node);
    return EXIT_REPRODUCED;
  case EXPECTATIONS:
    break;
  }
  return EXIT_IMPOSSIBLE;
}
