/* The loop: waits for the script to be done, and sees to crashes and restarts of nodes. */
#include "conductor.h"

struct plan plan;
struct settings settings;
struct everett_header *script;

/* The time between two looks at the nodes. */
enum { LOOK_NS = 5000000 };

static struct everett_thread *thread_at(uint32_t thread) {
  return (struct everett_thread *)((char *)script + script->threads_at) + thread;
}

static const struct everett_event *event_at(uint32_t index) {
  return (const struct everett_event *)((char *)script + script->events_at) + index;
}

void say(const char *format, ...) {
  char line[8192];
  struct text text = {line, sizeof line, 0};
  va_list list;
  va_start(list, format);
  text_put_list(&text, format, list);
  va_end(list);
  text_put(&text, "\n");
  SYSTEM(write, 2, line, text.used);
}

_Noreturn void leave(int code) {
  for (uint32_t i = 0; i < plan.node_count; i++)
    if (plan.nodes[i].is_up)
      stop_node(&plan.nodes[i]);
  for (;;)
    SYSTEM(exit_group, code);
}

_Noreturn void give_up(const char *format, ...) {
  char line[4096];
  struct text text = {line, sizeof line, 0};
  va_list list;
  va_start(list, format);
  text_put_list(&text, format, list);
  va_end(list);
  say("cannot be replayed: %s", line);
  leave(EXIT_IMPOSSIBLE);
}

const char *run_path(const char *name, const char *suffix) {
  static char paths[4][4096];
  static int next;
  next = (next + 1) % 4;
  struct text text = {paths[next], sizeof paths[next], 0};
  text_put(&text, "%s/%s%s", settings.folder, name, suffix);
  return paths[next];
}

/* Room for everything that processes may want to share: each datagram at each node and a few sockets more, and each
 * descriptor that somebody waits for. What is not used takes no memory. */
static uint64_t shared_bytes(long fd, const struct everett_header *header) {
  enum { OVERHEAD = 64, MORE_SOCKETS = 8, LEAST = 1 << 16 };
  uint64_t size = LEAST;
  long at = SYSTEM(mmap, 0, header->file_bytes, 1, 2, fd, 0);
  if (at < 0 && at > -4096)
    give_up("the script cannot be mapped: error %d", (int64_t)-at);
  const struct everett_event *events = (const struct everett_event *)((const char *)at + header->events_at);
  for (uint32_t i = 0; i < header->events; i++) {
    if (events[i].flags & EVERETT_DATAGRAM)
      size += (uint64_t)(events[i].data_bytes + OVERHEAD) * (header->nodes + MORE_SOCKETS);
    else if (events[i].api == EVERETT_API_epoll_ctl)
      size += OVERHEAD;
  }
  SYSTEM(munmap, at, header->file_bytes);
  return size;
}

static void map_script(void) {
  long fd = SYSTEM(open, run_path("script", ""), 02, 0);
  struct everett_header header;
  if (fd < 0 || SYSTEM(read, fd, &header, sizeof header) != sizeof header)
    give_up("the script is missing");
  if (memcmp(header.magic, EVERETT_SCRIPT_MAGIC, sizeof header.magic) != 0 ||
      header.version != EVERETT_SCRIPT_VERSION)
    give_up("the script has another format; export the test again");
  header.own[OWN_SHARED_UNITS] = (uint32_t)(shared_bytes(fd, &header) / SHARED_UNIT);
  long at = SYSTEM(ftruncate, fd, mapped_bytes(&header));
  if (at == 0)
    at = SYSTEM(mmap, 0, mapped_bytes(&header), 3, 1, fd, 0);
  if (at < 0 && at > -4096)
    give_up("the script cannot be mapped: error %d", (int64_t)-at);
  SYSTEM(close, fd);
  script = (struct everett_header *)at;
  script->own[OWN_SHARED_UNITS] = header.own[OWN_SHARED_UNITS];
}

/* Gives the nodes addresses 127.N.x.y that no other replay has: a name that is bound as long as this one lasts
 * tells them apart. */
static void choose_loopback(void) {
  struct {
    uint16_t family;
    char name[64];
  } own = {AF_UNIX_, {0}};
  long fd = SYSTEM(socket, AF_UNIX_, SOCK_STREAM_ | SOCK_CLOEXEC_, 0);
  uint32_t first = (uint32_t)SYSTEM(getpid);
  uint32_t number = 0;
  for (uint32_t i = 0; i < 250 && number == 0; i++) {
    struct text text = {own.name + 1, sizeof own.name - 1, 0};
    uint32_t tried = 2 + (first + i) % 250;
    text_put(&text, "everett-replay-%u", (uint64_t)tried);
    if (SYSTEM(bind, fd, &own, sizeof own.family + 1 + text.used) == 0)
      number = tried;
  }
  if (number == 0)
    give_up("too many replays run at the same time on one network stack");
  struct everett_node *nodes = (struct everett_node *)((char *)script + script->nodes_at);
  for (uint32_t i = 0; i < script->nodes; i++)
    for (uint32_t j = 0; j < nodes[i].addresses; j++)
      ((unsigned char *)script)[nodes[i].addresses_at + 24 * j + 5] = (unsigned char)number;
}

/* Without a root of its own, a node cannot execute other programs; see rootless.c. */
static void look_for_programs(void) {
  for (uint32_t i = 0; i < script->events; i++)
    if (event_at(i)->api == EVERETT_API_execve)
      give_up("node %s executes a program, for which namespaces or chroot have to be permitted; run it as root",
              plan.nodes[thread_at(event_at(i)->thread)->node].name);
}

/* Signals that end a replay wait until the conductor looks, so that it leaves no process behind. */
static const uint64_t ending_signals = 1u << (SIGHUP_ - 1) | 1u << (SIGINT_ - 1) | 1u << (SIGTERM_ - 1);
static uint64_t former_mask;

static void hold_signals(void) {
  enum { SIGQUIT = 3, ADD = 0 };
  /* A shell lets what it starts in the background ignore these, and programs would inherit it. */
  uint64_t by_default[4] = {0};
  SYSTEM(rt_sigaction, SIGINT_, by_default, 0, 8);
  SYSTEM(rt_sigaction, SIGQUIT, by_default, 0, 8);
  SYSTEM(rt_sigprocmask, ADD, &ending_signals, &former_mask, 8);
}

void release_signals(void) {
  enum { SET = 2 };
  SYSTEM(rt_sigprocmask, SET, &former_mask, 0, 8);
}

static void look_for_signals(void) {
  struct timespec_ none = {0, 0};
  if (SYSTEM(rt_sigtimedwait, &ending_signals, 0, &none, 8) > 0)
    give_up("it was interrupted");
}

void rest(uint64_t ns) {
  host_sleep_ns(ns);
  look_for_signals();
}

/* Learns which processes have ended. */
static void reap(void) {
  int status;
  long pid;
  while ((pid = SYSTEM(wait4, -1, &status, 1, 0)) > 0)
    for (uint32_t i = 0; i < plan.node_count; i++)
      if (plan.nodes[i].keeper == (uint32_t)pid)
        plan.nodes[i].is_up = 0;
}

static void look_for_trouble(void) {
  static const char *const words[] = {"", "its network cannot be entered", "its files cannot be prepared",
                                      "its folder cannot be entered", "its program cannot be executed"};
  for (uint32_t i = 0; i < plan.node_count; i++) {
    const struct fate *fate = plan.nodes[i].fate;
    uint32_t trouble = __atomic_load_n(&fate->trouble, __ATOMIC_SEQ_CST);
    if (trouble != TROUBLE_NONE)
      give_up("node %s: %s (error %d)", plan.nodes[i].name, words[trouble], (int64_t)fate->trouble_error);
  }
}

/* Does what the head of the script says of a node as a whole; whether it did. */
static int conduct(uint32_t head) {
  const struct everett_event *e = head < script->events ? event_at(head) : NULL;
  if (!e || (e->api != EVERETT_NODE_CRASH && e->api != EVERETT_RESTART))
    return 0;
  struct node *node = &plan.nodes[thread_at(e->thread)->node];
  if (e->api == EVERETT_NODE_CRASH) {
    stop_node(node);
    for (uint32_t i = 0; i < script->threads; i++)
      if (&plan.nodes[thread_at(i)->node] == node && thread_at(i)->state != THREAD_ABSENT)
        thread_at(i)->state = THREAD_ENDED;
  } else {
    start_node(node);
  }
  __atomic_store_n(&script->head, head + 1, __ATOMIC_SEQ_CST);
  SYSTEM(futex, &script->head, FUTEX_WAKE_, 0x7fffffff, 0, 0, 0);
  return 1;
}

/* Tells replay.sh which process the debugger is to look at. */
static void name_debugged(void) {
  static int is_done;
  for (uint32_t i = 0; i < plan.node_count && settings.gdb && !is_done; i++) {
    const struct node *node = &plan.nodes[i];
    uint32_t pid = node->fate->program;
    if (!same_text(node->name, settings.gdb) || pid == 0)
      continue;
    char line[4096];
    struct text text = {line, sizeof line, 0};
    text_put(&text, "%u %s\n", (uint64_t)pid, run_path(plan.boots[node->first_boot].root, ""));
    long fd = SYSTEM(open, run_path("gdb", ""), 0101, 0644);
    SYSTEM(write, fd, line, text.used);
    SYSTEM(close, fd);
    is_done = 1;
  }
}

/* Runs the script to its end, or to the first difference. */
static void run(void) {
  uint32_t last = 0;
  uint64_t moved = host_time_ns();
  uint64_t patience = (uint64_t)script->own[OWN_PATIENCE_MS] * 2000000u;
  for (;;) {
    look_for_signals();
    reap();
    look_for_trouble();
    name_debugged();
    uint32_t head = __atomic_load_n(&script->head, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&script->state, __ATOMIC_SEQ_CST) != SCRIPT_RUNNING)
      return;
    if (conduct(head))
      continue;
    if (head >= script->events)
      return;
    if (head != last)
      moved = host_time_ns();
    last = head;
    const struct node *node = &plan.nodes[thread_at(event_at(head)->thread)->node];
    int is_gone = node->fate->killed_by != 0 || !node->is_up;
    uint64_t idle = host_time_ns() - moved;
    if (is_gone ? idle > 500000000u : idle > patience && !settings.gdb)
      return;
    struct timespec_ time = {0, LOOK_NS};
    SYSTEM(futex, &script->head, FUTEX_WAIT_, head, &time, 0, 0);
  }
}

static _Noreturn void usage(void) {
  say("usage: conductor PLAN FOLDER [loopback] [rootless] [core] [gdb=NODE] [patience=MS]");
  leave(EXIT_IMPOSSIBLE);
}

static uint32_t number_in(const char *text) {
  uint32_t number = 0;
  for (; *text >= '0' && *text <= '9'; text++)
    number = number * 10 + (uint32_t)(*text - '0');
  return number;
}

/* Raises a limit that the caller has lowered; 'resource' is one of setrlimit(2). */
static void raise_limit(int resource, uint64_t least) {
  uint64_t limit[2];
  if (SYSTEM(getrlimit, resource, limit) != 0 || limit[0] >= least)
    return;
  limit[0] = least < limit[1] ? least : limit[1];
  SYSTEM(setrlimit, resource, limit);
}

/* Nodes inherit nothing that the caller happens to have: under nohup, in the background of a script or with
 * limits, signals are ignored and descriptors are taken that are free on the simulated machine. */
static void forget_caller(void) {
  enum { SIGNALS = 64, SET_MASK = 2, CPU = 0, FILE_SIZE = 1, DATA = 2, STACK = 3, FILES = 7, ADDRESSES = 9 };
  uint64_t usual[4] = {0}, none = 0;
  for (long number = 1; number <= SIGNALS; number++)
    SYSTEM(rt_sigaction, number, usual, 0, sizeof none);
  SYSTEM(rt_sigprocmask, SET_MASK, &none, 0, sizeof none);
  SYSTEM(close_range, 3, ~0U, 0);
  raise_limit(CPU, ~(uint64_t)0);
  raise_limit(FILE_SIZE, ~(uint64_t)0);
  raise_limit(DATA, ~(uint64_t)0);
  raise_limit(ADDRESSES, ~(uint64_t)0);
  raise_limit(STACK, 8 << 20);
  raise_limit(FILES, 1024);
}

static _Noreturn void conduct_all(long count, char **words) {
  if (count < 3)
    usage();
  forget_caller();
  settings.folder = words[2];
  uint32_t patience_ms = 10000;
  for (long i = 3; i < count; i++) {
    const char *value;
    if (same_text(words[i], "loopback"))
      settings.loopback = 1;
    else if (same_text(words[i], "rootless"))
      settings.rootless = 1;
    else if (same_text(words[i], "core"))
      settings.core = 1;
    else if ((value = after_prefix(words[i], "gdb=")))
      settings.gdb = value;
    else if ((value = after_prefix(words[i], "patience=")))
      patience_ms = number_in(value);
    else
      usage();
  }
  hold_signals();
  read_plan(words[1]);
  map_script();
  if (script->nodes != plan.node_count)
    give_up("the plan has %u nodes, the script %u", (uint64_t)plan.node_count, (uint64_t)script->nodes);
  script->own[OWN_LOOPBACK] = (uint32_t)settings.loopback;
  script->own[OWN_PATIENCE_MS] = patience_ms;
  if (settings.loopback)
    choose_loopback();
  if (settings.rootless)
    look_for_programs();
  for (uint32_t i = 0; i < plan.node_count; i++)
    start_node(&plan.nodes[i]);
  run();
  leave(judge());
}

__attribute__((used)) static _Noreturn void enter(long *stack) {
  conduct_all(stack[0], (char **)(stack + 1));
}

__asm__(".global _start\n_start:\n  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call enter\n");
