/* The beginning and the end of a process. */
#include "turn.h"

/* Set by the conductor, and kept from the program. */
static const char *const own_variables[] = {"LD_PRELOAD=", "EVERETT_REPLAY_SCRIPT=", "EVERETT_REPLAY_THREAD=",
                                            "EVERETT_REPLAY_STOP=", "EVERETT_REPLAY_ROOTLESS="};
enum { OWN_VARIABLES = 5, VARIABLES_MAX = 1024 };

extern char **environ;
static char *kept_variables[OWN_VARIABLES];

void find_library(void);
void rootless_begin(const char *text);

/* The environment that a program is executed with: the one given, and what the replay needs. `mark` says how the
 * thread goes on in it. */
char **replay_environment(char *const *given, const char *mark, uint32_t thread) {
  static char *whole[VARIABLES_MAX + OWN_VARIABLES + 1];
  static char number[48];
  int count = 0;
  for (; given && given[count] && count < VARIABLES_MAX; count++)
    whole[count] = given[count];
  struct text text = {number, sizeof number, 0};
  text_put(&text, "%s%s%u", own_variables[2], mark, (uint64_t)thread);
  whole[count++] = kept_variables[0];
  whole[count++] = kept_variables[1];
  whole[count++] = number;
  whole[count] = NULL;
  return whole;
}

/* Takes the variables of the replay out of the environment. */
static void take_variables(void) {
  char **to = environ;
  for (char **from = environ; from && *from; from++) {
    int is_own = 0;
    for (int i = 0; i < OWN_VARIABLES; i++)
      if (after_prefix(*from, own_variables[i])) {
        kept_variables[i] = *from;
        is_own = 1;
      }
    if (!is_own)
      *to++ = *from;
  }
  if (to)
    *to = NULL;
}

static uint32_t number_in(const char *text) {
  uint32_t number = 0;
  for (; *text >= '0' && *text <= '9'; text++)
    number = number * 10 + (uint32_t)(*text - '0');
  return number;
}

__attribute__((constructor)) static void begin(void) {
  take_variables();
  if (!kept_variables[1] || !kept_variables[2])
    return;
  const char *path = after_prefix(kept_variables[1], own_variables[1]);
  const char *thread = after_prefix(kept_variables[2], own_variables[2]);
  long fd = SYSTEM(open, path, 02 | SOCK_CLOEXEC_, 0);
  struct everett_header header;
  if (fd < 0 || SYSTEM(read, fd, &header, sizeof header) != sizeof header)
    SYSTEM(exit_group, 127);
  long at = SYSTEM(mmap, 0, mapped_bytes(&header), 3, 1, fd, 0);
  SYSTEM(close, fd);
  if (at < 0 && at > -4096)
    SYSTEM(exit_group, 127);
  find_library();
  script = (struct everett_header *)at;
  if (kept_variables[4])
    rootless_begin(after_prefix(kept_variables[4], own_variables[4]));
  /* For a debugger, which lets it go on. */
  if (kept_variables[3])
    system_call(CALL_kill, SYSTEM(getpid), SIGSTOP_, 0, 0, 0, 0);
  if (*thread == *MARK_EXECUTED) {
    self.thread = number_in(thread + 1);
  } else if (*thread == *MARK_SPAWNED) {
    turn_start(number_in(thread + 1));
    turn_pass(turn_whole(EVERETT_API_execve));
  } else {
    turn_start(number_in(thread));
  }
}

/* The process ends, by exit or by returning from main. */
static void ends(void) {
  if (!replaying())
    return;
  const event *e = turn_take(EVERETT_EXIT);
  for (uint32_t i = 0; i < script->threads; i++)
    if (thread_entry(i)->process == thread_entry(self.thread)->process)
      thread_entry(i)->state = THREAD_ENDED;
  turn_pass(e);
  /* Data that was sent arrives, even if the process is over. */
  for (uint64_t until = host_time_ns() + patience_ns(); chores() && host_time_ns() < until;)
    host_sleep_ns(1000000);
  self.thread = EVERETT_NONE;
}

__attribute__((destructor)) static void end(void) { ends(); }

_Noreturn EXPORT void _exit(int code) {
  ends();
  for (;;)
    SYSTEM(exit_group, code);
}

_Noreturn EXPORT void _Exit(int code) { _exit(code); }
