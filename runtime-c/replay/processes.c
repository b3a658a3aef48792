/* Processes and signals. Numbers of processes are those of the script.
 *
 * No signal is sent between processes: the script says where a handler runs, and it is called there. So
 * handlers of signals that come from outside are never known to the kernel; those of faults are. */
#include "socket.h"

enum { SIGNALS = 65 };

/* musl and glibc have the same struct sigaction on this machine. */
struct action {
  void (*handler)(int signal);
  uint64_t mask[16];
  int flags;
  void (*restorer)(void);
};

typedef void with_details(int signal, void *details, void *context);
enum { WITH_DETAILS = 4, ONCE = (int)0x80000000 };

static struct action actions[SIGNALS];

/* Signals that the program raises by its own doing, at a place of its own. */
static int is_fault(int signal) {
  enum { SIGILL = 4, SIGTRAP = 5, SIGABRT = 6, SIGBUS = 7, SIGFPE = 8, SIGSEGV = 11 };
  return signal == SIGILL || signal == SIGTRAP || signal == SIGABRT || signal == SIGBUS ||
         signal == SIGFPE || signal == SIGSEGV;
}

static int is_virtual(int signal) {
  return replaying() && signal > 0 && signal < SIGNALS && !is_fault(signal) && signal != SIGKILL_ &&
         signal != SIGSTOP_;
}

EXPORT int sigaction(int signal, const struct action *new, struct action *old) {
  if (!is_virtual(signal))
    return REAL(sigaction)(signal, new, old);
  struct action before = actions[signal];
  if (new)
    actions[signal] = *new;
  if (old)
    *old = before;
  return 0;
}

EXPORT void (*signal(int number, void (*handler)(int)))(int) {
  if (!is_virtual(number))
    return REAL(signal)(number, handler);
  void (*before)(int) = actions[number].handler;
  enum { RESTART = 0x10000000 };
  actions[number] = (struct action){.handler = handler, .flags = RESTART};
  return before;
}

/* The default action: as the kernel would do it. */
static void act_by_default(int signal) {
  uint64_t mask = (uint64_t)1 << (signal - 1);
  SYSTEM(rt_sigprocmask, 1, &mask, 0, 8);
  long pid = SYSTEM(getpid), tid = SYSTEM(gettid);
  SYSTEM(tgkill, pid, tid, signal);
}

void signal_deliver(const event *e) {
  int number = (int)e->result;
  if (number <= 0 || number >= SIGNALS)
    return;
  struct action action = actions[number];
  if (action.handler == (void (*)(int))1)
    return;
  if (!action.handler) {
    act_by_default(number);
    return;
  }
  if (action.flags & ONCE)
    actions[number].handler = NULL;
  /* Of siginfo_t: signal, error, code, then pid and user, and the value. */
  struct {
    int32_t signal, error, code, padding, pid, uid;
    uint64_t value;
    uint8_t rest[96];
  } details = {number, 0, (int32_t)e->aux[2], 0, (int32_t)e->aux[0], 0, e->aux[1], {0}};
  if (action.flags & WITH_DETAILS)
    ((with_details *)(void *)action.handler)(number, &details, NULL);
  else
    action.handler(number);
}

EXPORT int getpid(void) {
  return replaying() ? (int)thread_entry(self.thread)->pid : (int)SYSTEM(getpid);
}

EXPORT int getppid(void) {
  return replaying() ? (int)thread_entry(self.thread)->parent_pid : (int)system_call(110, 0, 0, 0, 0, 0, 0);
}

EXPORT int gettid(void) {
  return replaying() ? (int)thread_entry(self.thread)->tid : (int)SYSTEM(gettid);
}

static int forked(unsigned api, int (*make)(void)) {
  const event *e = turn_whole(api);
  if (e->error != 0) {
    turn_pass(e);
    return (int)failed(e->error);
  }
  uint32_t thread = (uint32_t)e->aux[0];
  int child = make();
  if (child < 0)
    turn_diverge("no process can be made");
  if (child == 0) {
    turn_start_process(thread);
    return 0;
  }
  thread_entry(thread)->native_pid = (uint32_t)child;
  int pid = (int)e->result;
  turn_pass(e);
  return pid;
}

EXPORT int fork(void) {
  if (!replaying())
    return REAL(fork)();
  return forked(EVERETT_API_fork, REAL(fork));
}

/* A child that shared our memory could not wait for its turn without holding us up. */
EXPORT __attribute__((returns_twice)) int vfork(void) {
  if (!replaying())
    return REAL(fork)();
  return forked(EVERETT_API_vfork, REAL(fork));
}

/* Waits for the real process too, so that nothing of it is left. */
static long waited(unsigned api, int *status, int leave) {
  const event *e = turn_whole(api);
  if (e->error == 0 && e->result > 0) {
    uint32_t native = thread_entry((uint32_t)e->aux[1])->native_pid;
    int found = 0;
    if (!leave && SYSTEM(wait4, native, &found, 0, 0) == (long)native && found != (int)e->aux[0])
      turn_diverge("its child ends with status %d, expected %d", (int64_t)found, (int64_t)e->aux[0]);
    if (status)
      *status = (int)e->aux[0];
  }
  long result = e->error != 0 ? failed(e->error) : e->result;
  turn_pass(e);
  return result;
}

EXPORT int wait(int *status) {
  if (!replaying())
    return (int)answered(SYSTEM(wait4, -1, status, 0, 0));
  return (int)waited(EVERETT_API_wait, status, 0);
}

EXPORT int waitpid(int pid, int *status, int options) {
  if (!replaying())
    return (int)answered(SYSTEM(wait4, pid, status, options, 0));
  return (int)waited(EVERETT_API_waitpid, status, 0);
}

EXPORT int wait3(int *status, int options, void *usage) {
  if (!replaying())
    return (int)answered(SYSTEM(wait4, -1, status, options, usage));
  return (int)waited(EVERETT_API_wait3, status, 0);
}

EXPORT int wait4(int pid, int *status, int options, void *usage) {
  if (!replaying())
    return (int)answered(SYSTEM(wait4, pid, status, options, usage));
  return (int)waited(EVERETT_API_wait4, status, 0);
}

/* Signals that are sent: whoever gets one has an event of its own. */
static int signalled(unsigned api) {
  const event *e = turn_whole(api);
  int result = (int)(e->error != 0 ? failed(e->error) : e->result);
  turn_pass(e);
  return result;
}

EXPORT int kill(int pid, int signal) {
  if (!replaying())
    return (int)answered(SYSTEM(kill, pid, signal));
  return signalled(EVERETT_API_kill);
}

EXPORT int killpg(int group, int signal) {
  if (!replaying())
    return REAL(killpg)(group, signal);
  return signalled(EVERETT_API_killpg);
}

EXPORT int raise(int signal) {
  if (!replaying() || is_fault(signal))
    return REAL(raise)(signal);
  return signalled(EVERETT_API_raise);
}

EXPORT int pause(void) {
  if (!replaying())
    return REAL(pause)();
  return signalled(EVERETT_API_pause);
}

EXPORT int sigsuspend(const void *mask) {
  if (!replaying())
    return REAL(sigsuspend)(mask);
  return signalled(EVERETT_API_sigsuspend);
}

EXPORT int sigwait(const void *set, int *number) {
  if (!replaying())
    return REAL(sigwait)(set, number);
  const event *e = turn_whole(EVERETT_API_sigwait);
  int error = e->error;
  *number = (int)e->result;
  turn_pass(e);
  return error;
}

/* The environment of a program that is executed keeps what the replay needs. */
char **replay_environment(char *const *given);

EXPORT int execve(const char *file, char *const *arguments, char *const *environment) {
  if (!replaying())
    return (int)answered(SYSTEM(execve, file, arguments, environment));
  const event *e = turn_whole(EVERETT_API_execve);
  int error = e->error;
  if (error == 0) {
    char **whole = replay_environment(environment);
    turn_pass(e);
    long result = SYSTEM(execve, file, arguments, whole);
    turn_diverge("%s cannot be executed: error %d", file, (int64_t)-result);
  }
  turn_pass(e);
  return (int)failed(error);
}

extern char **environ;

EXPORT int execv(const char *file, char *const *arguments) { return execve(file, arguments, environ); }

static int gathered(const char *file, const char *first, va_list list, int with_environment) {
  const char *arguments[256] = {first};
  int count = 1;
  while (count < 255 && arguments[count - 1])
    arguments[count++] = va_arg(list, const char *);
  arguments[255] = NULL;
  char *const *environment = with_environment ? va_arg(list, char *const *) : environ;
  return execve(file, (char *const *)arguments, environment);
}

EXPORT int execl(const char *file, const char *first, ...) {
  va_list list;
  va_start(list, first);
  return gathered(file, first, list, 0);
}

EXPORT int execle(const char *file, const char *first, ...) {
  va_list list;
  va_start(list, first);
  return gathered(file, first, list, 1);
}
