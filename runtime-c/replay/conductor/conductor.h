/* The conductor: starts the nodes of a native replay, does what the script says of nodes as a whole, and
 * judges what came of it. It runs in the folder of the replay, where replay.sh has prepared everything. */
#ifndef EVERETT_REPLAY_CONDUCTOR_H
#define EVERETT_REPLAY_CONDUCTOR_H

#include "../script.h"
#include "../system.h"
#include "../turn.h"

enum { NODES_MAX = 256, BOOTS_MAX = 1024, WORDS_MAX = 4096, ENDS_MAX = NODES_MAX, SOCKETS_MAX = 64 };

/* The report of a node's init to the conductor, in shared memory. */
struct fate {
  uint32_t init;         /* pid of init */
  uint32_t program;      /* pid of the program, as init sees it */
  uint32_t shares_pids;  /* its processes are in the conductor's namespace of process numbers */
  uint32_t has_ended;    /* the first process has */
  uint32_t status;       /* its wait status */
  uint32_t killed_by;    /* the signal that has killed any process, or 0 */
  uint32_t trouble;      /* why the program could not be started */
  int32_t trouble_error;
};

enum trouble { TROUBLE_NONE, TROUBLE_NETWORK, TROUBLE_FILES, TROUBLE_FOLDER, TROUBLE_EXECUTE };

/* A UNIX socket among the files that a node begins with. Nobody listens at it. */
struct named_socket {
  const char *path;
  uint32_t mode;
};

/* One start of a node's program. Words are texts in the plan. */
struct boot {
  const char *root; /* below the run's folder */
  const char *thread;
  const char *cwd;
  const char *program;
  char *arguments[256];
  char *environment[256];
  struct named_socket sockets[SOCKETS_MAX];
  uint32_t argument_count, environment_count, socket_count;
};

struct node {
  const char *name;
  const char *hostname;
  const char *network; /* file of its network namespace, or NULL */
  uint32_t uid, gid, umask;
  uint32_t stack; /* the most bytes of a stack, or 0 for the usual */
  uint32_t first_boot, boot_count;
  uint32_t boots_done;
  int is_up;
  uint32_t keeper; /* the process that has started init */
  struct fate *fate;
};

enum expectation {
  EXPECT_ASSERT,
  EXPECT_MEMORY,
  EXPECT_DEADLOCK,
  EXPECT_HANG,
  EXPECT_EXPOSED,
  EXPECT_ENDED,
  EXPECT_RACE,
  EXPECT_ACCEPTED,
  EXPECTATIONS
};

struct plan {
  struct node nodes[NODES_MAX];
  uint32_t node_count;
  struct boot boots[BOOTS_MAX];
  uint32_t boot_count;
  enum expectation expected;
  const char *expected_node;
  const char *expected_text;  /* in what the node writes to standard error, or NULL */
  struct {
    const char *node;
    int32_t status; /* wait status, or -1 if it waits */
  } ends[ENDS_MAX];
  uint32_t end_count;
};

/* The settings of the command line. */
struct settings {
  const char *folder; /* of this run */
  const char *gdb;    /* node to be stopped at its start, or NULL */
  int core;
  int loopback;
  int rootless; /* neither namespaces nor chroot are permitted */
};

extern struct plan plan;
extern struct settings settings;

void read_plan(const char *file);
void start_node(struct node *node);
void stop_node(struct node *node);

/* A path in the run's folder: NAME and then SUFFIX. In memory that the next calls use again. */
const char *run_path(const char *name, const char *suffix);

/* Lets processes have the signals that end a replay, as they had them before it began. */
void release_signals(void);

/* Sleeps, unless the replay is to end. */
void rest(uint64_t ns);

void say(const char *format, ...);
_Noreturn void give_up(const char *format, ...);

enum { EXIT_REPRODUCED = 0, EXIT_DIFFERENT = 1, EXIT_IMPOSSIBLE = 2 };

/* The exit code of the replay, with the reason said. */
int judge(void);
_Noreturn void leave(int code);

#endif
