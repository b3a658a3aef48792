/* Starting and stopping nodes.
 *
 *   conductor -> keeper -> init -> program
 *
 * The keeper enters the namespaces. Init is the first process in that of process numbers, so that all
 * processes of the node die with it, whatever they have become. What is not permitted is left out, as far
 * as the program cannot tell; replay.sh has said what that means. */
#include "conductor.h"

enum {
  NEW_MOUNTS = 0x20000,
  NEW_HOSTNAME = 0x4000000,
  NEW_IPC = 0x8000000,
  NEW_USER = 0x10000000,
  NEW_PIDS = 0x20000000,
};
enum { BIND = 4096, RECURSIVE = 16384, PRIVATE = 1 << 18 };

static _Noreturn void end_process(int code) {
  for (;;)
    SYSTEM(exit_group, code);
}

static _Noreturn void trouble(struct node *node, enum trouble what, long error) {
  node->fate->trouble_error = (int32_t)-error;
  __atomic_store_n(&node->fate->trouble, what, __ATOMIC_SEQ_CST);
  end_process(127);
}

/* A path below the root of a node, relative to the run's folder. */
static const char *below(const struct boot *boot, const char *path) { return run_path(boot->root, path); }

static void add_device(const struct boot *boot, int has_mounts, const char *path, uint32_t minor) {
  const char *inside = below(boot, path);
  long fd = SYSTEM(open, inside, 0101, 0666);
  if (fd >= 0)
    SYSTEM(close, fd);
  if (has_mounts && SYSTEM(mount, path, inside, 0, BIND, 0) == 0)
    return;
  /* Without a namespace of mounts the device itself is made, where that is allowed. */
  system_call(87, (long)inside, 0, 0, 0, 0, 0);
  system_call(133, (long)inside, 020666, 1 << 8 | minor, 0, 0, 0);
}

/* Mounts are for this node alone; what cannot be mounted is missing. */
static void prepare_files(const struct boot *boot, int has_mounts) {
  if (has_mounts)
    SYSTEM(mount, 0, "/", 0, RECURSIVE | PRIVATE, 0);
  SYSTEM(mkdir, below(boot, "/proc"), 0555);
  SYSTEM(mkdir, below(boot, "/dev"), 0755);
  if (has_mounts && SYSTEM(mount, "proc", below(boot, "/proc"), "proc", 0, 0) != 0)
    SYSTEM(mount, "/proc", below(boot, "/proc"), 0, BIND | RECURSIVE, 0);
  add_device(boot, has_mounts, "/dev/null", 3);
  add_device(boot, has_mounts, "/dev/zero", 5);
  add_device(boot, has_mounts, "/dev/full", 7);
  add_device(boot, has_mounts, "/dev/random", 8);
  add_device(boot, has_mounts, "/dev/urandom", 9);
  for (uint32_t i = 0; i < boot->socket_count; i++) {
    enum { CALL_mknod = 133, CALL_chmod = 90, SOCKET = 0140000 };
    const char *place = below(boot, boot->sockets[i].path);
    system_call(CALL_mknod, (long)place, SOCKET, 0, 0, 0, 0);
    system_call(CALL_chmod, (long)place, boot->sockets[i].mode, 0, 0, 0, 0);
  }
}

static void write_file(const char *path, const char *format, ...) {
  char line[64];
  struct text text = {line, sizeof line, 0};
  va_list list;
  va_start(list, format);
  text_put_list(&text, format, list);
  va_end(list);
  long fd = SYSTEM(open, path, 1, 0);
  if (fd >= 0) {
    SYSTEM(write, fd, line, text.used);
    SYSTEM(close, fd);
  }
}

/* The program's user. In a namespace of users it is ourselves under another number, so that the files that
 * we have made are its own. */
static void become(const struct node *node) {
  if (node->uid == 0 && node->gid == 0)
    return;
  uint64_t uid = (uint64_t)system_call(102, 0, 0, 0, 0, 0, 0), gid = (uint64_t)system_call(104, 0, 0, 0, 0, 0, 0);
  if (SYSTEM(unshare, NEW_USER) != 0)
    return;
  write_file("/proc/self/setgroups", "deny");
  write_file("/proc/self/uid_map", "%u %u 1\n", (uint64_t)node->uid, uid);
  write_file("/proc/self/gid_map", "%u %u 1\n", (uint64_t)node->gid, gid);
}

static void redirect(int to, const char *path, int flags) {
  long fd = SYSTEM(open, path, flags, 0644);
  if (fd >= 0 && fd != to) {
    SYSTEM(dup2, fd, to);
    SYSTEM(close, fd);
  }
}

static void add_variable(struct boot *boot, char *buffer, size_t size, const char *format, ...) {
  struct text text = {buffer, size, 0};
  va_list list;
  va_start(list, format);
  text_put_list(&text, format, list);
  va_end(list);
  boot->environment[boot->environment_count++] = buffer;
}

/* Begins the program where its files are, and lets the library catch calls that name others. */
static _Noreturn void run_rootless(struct node *node, struct boot *boot) {
  static char rootless[4608], script_file[4608], preload[4608];
  add_variable(boot, rootless, sizeof rootless, "EVERETT_REPLAY_ROOTLESS=%u:%u:%s:%s", (uint64_t)node->uid,
               (uint64_t)node->gid, node->hostname, below(boot, ""));
  add_variable(boot, script_file, sizeof script_file, "EVERETT_REPLAY_SCRIPT=%s", below(boot, "/.everett/script"));
  add_variable(boot, preload, sizeof preload, "LD_PRELOAD=%s", below(boot, "/.everett/everett-replay.so"));
  long result = SYSTEM(chdir, below(boot, boot->cwd));
  if (result != 0)
    trouble(node, TROUBLE_FOLDER, result);
  result = SYSTEM(execve, below(boot, boot->program), boot->arguments, boot->environment);
  trouble(node, TROUBLE_EXECUTE, result);
}

/* Descriptors that the caller of the replay has open are not there for the program. */
static void close_others(void) {
  enum { FIRST = 3, LAST = 4096, CALL_close_range = 436 };
  if (system_call(CALL_close_range, FIRST, LAST, 0, 0, 0, 0) == 0)
    return;
  for (int fd = FIRST; fd <= LAST; fd++)
    SYSTEM(close, fd);
}

/* A pair of sockets that all processes of the node inherit, for connections that wait; see sockets/sockets.c. */
static void add_pool(void) {
  int made[2];
  if (system_call(53, AF_UNIX_, SOCK_SEQPACKET_, 0, (long)made, 0, 0) != 0)
    return;
  for (int i = 0; i < 2; i++) {
    SYSTEM(dup2, made[i], i == 0 ? OWN_INTO_POOL : OWN_FROM_POOL);
    SYSTEM(close, made[i]);
  }
}

static _Noreturn void run_program(struct node *node, struct boot *boot) {
  enum { APPEND_AND_CREATE = 02101 };
  redirect(0, run_path(node->name, ".in"), 0);
  redirect(1, run_path(node->name, ".out"), APPEND_AND_CREATE);
  redirect(2, run_path(node->name, ".err"), APPEND_AND_CREATE);
  close_others();
  add_pool();
  static char thread[64];
  add_variable(boot, thread, sizeof thread, "EVERETT_REPLAY_THREAD=%s", boot->thread);
  if (settings.gdb && same_text(settings.gdb, node->name))
    boot->environment[boot->environment_count++] = "EVERETT_REPLAY_STOP=1";
  uint64_t core[2] = {settings.core ? ~(uint64_t)0 : 0, settings.core ? ~(uint64_t)0 : 0};
  SYSTEM(setrlimit, 4, core);
  if (node->stack) {
    enum { RLIMIT_STACK = 3 };
    uint64_t stack[2] = {node->stack, node->stack};
    SYSTEM(setrlimit, RLIMIT_STACK, stack);
  }
  SYSTEM(umask, node->umask);
  if (settings.rootless)
    run_rootless(node, boot);
  boot->environment[boot->environment_count++] = "EVERETT_REPLAY_SCRIPT=/.everett/script";
  boot->environment[boot->environment_count++] = "LD_PRELOAD=/.everett/everett-replay.so";
  become(node);
  long result = SYSTEM(chroot, below(boot, ""));
  if (result != 0)
    trouble(node, TROUBLE_FILES, result);
  result = SYSTEM(chdir, boot->cwd);
  if (result != 0)
    trouble(node, TROUBLE_FOLDER, result);
  result = SYSTEM(execve, boot->program, boot->arguments, boot->environment);
  trouble(node, TROUBLE_EXECUTE, result);
}

/* Waits for all processes of the node; the first one is the program. */
static _Noreturn void be_init(struct node *node, struct boot *boot) {
  long program = SYSTEM(fork);
  if (program == 0)
    run_program(node, boot);
  node->fate->program = (uint32_t)program;
  int status;
  long pid;
  while ((pid = SYSTEM(wait4, -1, &status, 0, 0)) > 0) {
    if ((status & 127) != 0)
      node->fate->killed_by = (uint32_t)status & 127;
    if (pid == program) {
      node->fate->status = (uint32_t)status;
      __atomic_store_n(&node->fate->has_ended, 1, __ATOMIC_SEQ_CST);
    }
  }
  end_process(0);
}

static _Noreturn void be_keeper(struct node *node, struct boot *boot) {
  enum { DIE_WITH_PARENT = 1, REAP_ALL = 36 };
  SYSTEM(prctl, DIE_WITH_PARENT, SIGKILL_);
  release_signals();
  if (node->network && !settings.loopback) {
    long fd = SYSTEM(open, node->network, 0, 0);
    long result = fd < 0 ? fd : SYSTEM(setns, fd, 0);
    if (result != 0)
      trouble(node, TROUBLE_NETWORK, result);
    SYSTEM(close, fd);
  }
  int is_debugged = settings.gdb && same_text(settings.gdb, node->name);
  if (SYSTEM(unshare, NEW_HOSTNAME) == 0)
    SYSTEM(sethostname, node->hostname, length_of(node->hostname));
  SYSTEM(unshare, NEW_IPC);
  int has_mounts = SYSTEM(unshare, NEW_MOUNTS) == 0;
  /* A debugger has to see the process. */
  node->fate->shares_pids = is_debugged || SYSTEM(unshare, NEW_PIDS) != 0;
  long init = SYSTEM(fork);
  if (init == 0) {
    SYSTEM(prctl, DIE_WITH_PARENT, SIGKILL_);
    SYSTEM(prctl, REAP_ALL, 1);
    SYSTEM(setsid);
    prepare_files(boot, has_mounts);
    be_init(node, boot);
  }
  __atomic_store_n(&node->fate->init, (uint32_t)init, __ATOMIC_SEQ_CST);
  int status;
  while (SYSTEM(wait4, -1, &status, 0, 0) > 0)
    continue;
  end_process(0);
}

void start_node(struct node *node) {
  if (node->boots_done == node->boot_count)
    give_up("node %s is started more often than planned", node->name);
  struct boot *boot = &plan.boots[node->first_boot + node->boots_done++];
  if (!node->fate) {
    long at = SYSTEM(mmap, 0, 4096, 3, 0x21, -1, 0);
    if (at < 0 && at > -4096)
      give_up("there is no memory");
    node->fate = (struct fate *)at;
  }
  memset(node->fate, 0, sizeof *node->fate);
  long keeper = SYSTEM(fork);
  if (keeper == 0)
    be_keeper(node, boot);
  if (keeper < 0)
    give_up("no process can be made: error %d", (int64_t)-keeper);
  node->keeper = (uint32_t)keeper;
  node->is_up = 1;
}

void stop_node(struct node *node) {
  uint32_t init;
  for (int i = 0; i < 1000 && !(init = __atomic_load_n(&node->fate->init, __ATOMIC_SEQ_CST)); i++)
    host_sleep_ns(1000000);
  struct everett_thread *threads = (struct everett_thread *)((char *)script + script->threads_at);
  for (uint32_t i = 0; node->fate->shares_pids && i < script->threads; i++)
    if (&plan.nodes[threads[i].node] == node && threads[i].native_pid > 1 && threads[i].state != THREAD_ENDED)
      SYSTEM(kill, threads[i].native_pid, SIGKILL_);
  if (init)
    SYSTEM(kill, init, SIGKILL_);
  else
    SYSTEM(kill, node->keeper, SIGKILL_);
  int status;
  while (node->is_up && SYSTEM(wait4, node->keeper, &status, 0, 0) == -E_INTR)
    continue;
  node->is_up = 0;
}
