/* Processes and signals. Numbers of processes are those of the script.
 *
 * No signal is sent between processes: the script says where a handler runs, and it is called there. So
 * handlers of signals that come from outside are never known to the kernel; those of faults are. */
#include "sockets/socket.h"

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
  self.access_event = EVERETT_NONE;
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
  self.access_event = EVERETT_NONE;
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

EXPORT int _Fork(void) { return replaying() ? forked(EVERETT_API_fork, REAL(_Fork)) : REAL(_Fork)(); }

/* A child that shared our memory could not wait for its turn without holding us up. */
EXPORT __attribute__((returns_twice)) int vfork(void) {
  if (!replaying())
    return REAL(fork)();
  return forked(EVERETT_API_vfork, REAL(fork));
}

/* What is done before is not counted, as it is not the program that does it. */
EXPORT int daemon(int stays, int keeps_streams) {
  enum { READ_AND_WRITE = 2, STREAMS = 3 };
  if (!replaying())
    return REAL(daemon)(stays, keeps_streams);
  if (!stays && SYSTEM(chdir, "/") < 0)
    turn_diverge("daemon cannot change to /");
  if (!keeps_streams) {
    long null = SYSTEM(open, "/dev/null", READ_AND_WRITE, 0);
    for (int fd = 0; fd < STREAMS; fd++)
      if (SYSTEM(dup2, null, fd) < 0)
        turn_diverge("daemon cannot open /dev/null");
    if (null >= STREAMS)
      SYSTEM(close, null);
  }
  for (int time = 0; time < 2; time++) {
    int child = forked(EVERETT_API_daemon, REAL(fork));
    if (child < 0)
      return -1;
    if (child > 0)
      _exit(0);
    if (time == 0)
      SYSTEM(setsid);
  }
  return 0;
}

/* Waits for the real process too, so that nothing of it is left. */
long waited(unsigned api, int *status, int leave) {
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

EXPORT int waitid(int kind, unsigned id, void *details, int options) {
  enum { LEAVE_IT = 0x1000000 };
  if (!replaying())
    return REAL(waitid)(kind, id, details, options);
  const event *e = turn_whole(EVERETT_API_waitid);
  uint32_t pid = 0;
  if (e->data_bytes == 128)
    memcpy(&pid, event_data(e) + 16, sizeof pid);
  if (pid != 0 && e->aux[1] < script->threads && !(options & LEAVE_IT))
    SYSTEM(wait4, thread_entry((uint32_t)e->aux[1])->native_pid, 0, 0, 0);
  if (details)
    memcpy(details, event_data(e), e->data_bytes);
  int result = (int)(e->error != 0 ? failed(e->error) : e->result);
  turn_pass(e);
  return result;
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

/* A thread that is over gets no signal, and there is no event. */
EXPORT int pthread_kill(unsigned long thread, int signal) {
  if (!replaying() || is_fault(signal))
    return REAL(pthread_kill)(thread, signal);
  if (!turn_comes(EVERETT_API_pthread_kill))
    return signal < 0 || signal >= SIGNALS ? E_INVAL : 0;
  const event *e = turn_whole(EVERETT_API_pthread_kill);
  int error = e->error;
  turn_pass(e);
  return error;
}

EXPORT int sigqueue(int pid, int signal, void *value) {
  if (!replaying())
    return REAL(sigqueue)(pid, signal, value);
  return signalled(EVERETT_API_sigqueue);
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

/* A signal that is waited for. The C library waits on if another one comes. */
static const event *awaited(unsigned api) {
  const event *e;
  while ((e = turn_whole(api))->error == E_INTR)
    turn_pass(e);
  return e;
}

EXPORT int sigwait(const void *set, int *number) {
  if (!replaying())
    return REAL(sigwait)(set, number);
  const event *e = awaited(EVERETT_API_sigwait);
  int error = e->error;
  *number = (int)e->result;
  turn_pass(e);
  return error;
}

static int awaited_details(unsigned api, void *details) {
  const event *e = awaited(api);
  if (details && e->error == 0)
    memcpy(details, event_data(e), e->data_bytes);
  int result = (int)(e->error != 0 ? failed(e->error) : e->result);
  turn_pass(e);
  return result;
}

EXPORT int sigwaitinfo(const void *set, void *details) {
  return replaying() ? awaited_details(EVERETT_API_sigwaitinfo, details) : REAL(sigwaitinfo)(set, details);
}

EXPORT int sigtimedwait(const void *set, void *details, const void *time) {
  return replaying() ? awaited_details(EVERETT_API_sigtimedwait, details) : REAL(sigtimedwait)(set, details, time);
}

EXPORT int execve(const char *file, char *const *arguments, char *const *environment) {
  if (!replaying())
    return (int)answered(SYSTEM(execve, file, arguments, environment));
  const event *e = turn_whole(EVERETT_API_execve);
  int error = e->error;
  if (error == 0) {
    char **whole = replay_environment(environment, MARK_EXECUTED, self.thread);
    turn_pass(e);
    long result = SYSTEM(execve, file, arguments, whole);
    turn_diverge("%s cannot be executed: error %d", file, (int64_t)-result);
  }
  turn_pass(e);
  return (int)failed(error);
}

EXPORT int fexecve(int fd, char *const *arguments, char *const *environment) {
  enum { CALL_execveat = 322, EMPTY_PATH = 0x1000 };
  if (!replaying())
    return REAL(fexecve)(fd, arguments, environment);
  const event *e = turn_whole(EVERETT_API_execve);
  int error = e->error;
  if (error == 0) {
    char **whole = replay_environment(environment, MARK_EXECUTED, self.thread);
    turn_pass(e);
    long result = system_call(CALL_execveat, fd, (long)"", (long)arguments, (long)whole, EMPTY_PATH, 0);
    turn_diverge("descriptor %d cannot be executed: error %d", (int64_t)fd, (int64_t)-result);
  }
  turn_pass(e);
  return (int)failed(error);
}

extern char **environ;

/* Tries one folder of PATH after the other, as the C library of the engine does: each try has its event. */
EXPORT int execvpe(const char *file, char *const *arguments, char *const *environment) {
  enum { FILE_MAX = 255, PATH_MAX = 4096 };
  const char *path = "/usr/local/bin:/bin:/usr/bin";
  int is_denied = 0, has_folder = 0;
  for (const char *c = file; *c; c++)
    has_folder |= *c == '/';
  if (!replaying())
    return REAL(execvpe)(file, arguments, environment);
  if (!*file)
    return (int)failed(E_NOENT);
  if (has_folder)
    return execve(file, arguments, environment);
  for (char **variable = environ; variable && *variable; variable++)
    path = after_prefix(*variable, "PATH=") ? after_prefix(*variable, "PATH=") : path;
  if (length_of(file) > FILE_MAX)
    return (int)failed(E_NAMETOOLONG);
  *__errno_location() = E_NOENT;
  for (const char *end = path;; path = end) {
    char whole[PATH_MAX + FILE_MAX + 2];
    for (end = path; *end && *end != ':';)
      end++;
    size_t length = (size_t)(end - path);
    if (length < PATH_MAX - 1) {
      struct text text = {whole, sizeof whole, 0};
      memcpy(whole, path, length);
      text.used = length;
      text_put(&text, length > 0 ? "/%s" : "%s", file);
      execve(whole, arguments, environment);
      int error = *__errno_location();
      is_denied |= error == E_ACCES;
      if (error != E_ACCES && error != E_NOENT && error != E_NOTDIR)
        return -1;
    }
    if (!*end++)
      break;
  }
  if (is_denied)
    *__errno_location() = E_ACCES;
  return -1;
}

EXPORT int execvp(const char *file, char *const *arguments) { return execvpe(file, arguments, environ); }

EXPORT int execv(const char *file, char *const *arguments) { return execve(file, arguments, environ); }

typedef int executes(const char *file, char *const *arguments, char *const *environment);

static int gathered(executes *execute, const char *file, const char *first, va_list list, int with_environment) {
  const char *arguments[256] = {first};
  int count = 1;
  while (count < 255 && arguments[count - 1])
    arguments[count++] = va_arg(list, const char *);
  arguments[255] = NULL;
  char *const *environment = with_environment ? va_arg(list, char *const *) : environ;
  return execute(file, (char *const *)arguments, environment);
}

EXPORT int execl(const char *file, const char *first, ...) {
  va_list list;
  va_start(list, first);
  return gathered(execve, file, first, list, 0);
}

EXPORT int execlp(const char *file, const char *first, ...) {
  va_list list;
  va_start(list, first);
  return gathered(execvpe, file, first, list, 0);
}

EXPORT int execle(const char *file, const char *first, ...) {
  va_list list;
  va_start(list, first);
  return gathered(execve, file, first, list, 1);
}

/* The C library does what is asked for in the new process, up to its program. One that cannot be executed is known only
 * once that was tried: then the process of the script is one that ends at once. */
int spawned(unsigned api, spawns *real, int *pid, const char *file, const void *actions, const void *attributes,
            char *const *arguments, char *const *environment) {
  const event *e = turn_whole(api);
  if (e->error != 0) {
    int error = e->error;
    turn_pass(e);
    return error;
  }
  uint32_t thread = (uint32_t)e->aux[0];
  int executes = turn_executes(thread), native = 0, made = (int)e->result;
  char **whole = replay_environment(environment, MARK_SPAWNED, thread);
  int error = real(&native, file, actions, attributes, arguments, whole);
  if ((error == 0) != executes)
    turn_diverge(executes ? "%s cannot be executed: error %d" : "%s can be executed", file, (int64_t)error);
  if (!executes && (native = REAL(fork)()) == 0) {
    enum { NOT_EXECUTED = 127 };
    turn_start_process(thread);
    _exit(NOT_EXECUTED);
  }
  thread_entry(thread)->native_pid = (uint32_t)native;
  turn_pass(e);
  if (executes) {
    if (pid)
      *pid = made;
    return 0;
  }
  e = turn_whole(api);
  SYSTEM(wait4, native, 0, 0, 0);
  turn_pass(e);
  return error;
}

EXPORT int posix_spawn(int *pid, const char *file, const void *actions, const void *attributes,
                       char *const *arguments, char *const *environment) {
  if (!replaying())
    return REAL(posix_spawn)(pid, file, actions, attributes, arguments, environment);
  return spawned(EVERETT_API_posix_spawn, REAL(posix_spawn), pid, file, actions, attributes, arguments,
                 environment);
}

EXPORT int posix_spawnp(int *pid, const char *file, const void *actions, const void *attributes,
                        char *const *arguments, char *const *environment) {
  if (!replaying())
    return REAL(posix_spawnp)(pid, file, actions, attributes, arguments, environment);
  return spawned(EVERETT_API_posix_spawn, REAL(posix_spawnp), pid, file, actions, attributes, arguments,
                 environment);
}

/* A shell is another program, whose end is waited for. */
EXPORT int system(const char *command) {
  if (!replaying())
    return REAL(system)(command);
  if (!command)
    return 1;
  const char *arguments[] = {"sh", "-c", command, NULL};
  int pid = 0, status = 0;
  int error = spawned(EVERETT_API_system, REAL(posix_spawn), &pid, "/bin/sh", NULL, NULL,
                      (char *const *)arguments, environ);
  if (error != 0)
    return (int)failed(error);
  while (waited(EVERETT_API_system, &status, 0) < 0 && *__errno_location() == E_INTR) {
  }
  return status;
}
