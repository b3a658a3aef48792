/* Comes to know all limits of its node, and what is left of its files in the end. */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char page[3000];
static void *volatile kept;

static void *idle(void *argument) { return argument; }

/* Six descriptors, of which three are standard streams. */
static void descriptors(void) {
  int ends[2];
  char name[] = "XXXXXX";
  struct rlimit limit;
  assert(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == 6 && sysconf(_SC_OPEN_MAX) == 6);
  int file = open("index", O_RDWR | O_CREAT, 0600);
  assert(file == 3 && dup(file) == 4);
  assert(pipe(ends) < 0 && errno == EMFILE);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 && errno == EMFILE);
  int last = socket(AF_INET, SOCK_DGRAM, 0);
  assert(last == 5);
  assert(socket(AF_INET, SOCK_DGRAM, 0) < 0 && errno == EMFILE);
  assert(dup(file) < 0 && errno == EMFILE);
  assert(dup(last) < 0 && errno == EMFILE);
  assert(dup2(file, 7) < 0 && errno == EBADF);
  assert(fcntl(file, F_DUPFD, 0) < 0 && errno == EMFILE);
  assert(fcntl(file, F_DUPFD, 9) < 0 && errno == EINVAL);
  assert(!fopen("other", "w") && errno == EMFILE && access("other", F_OK) < 0);
  assert(!opendir("/") && errno == EMFILE);
  assert(mkstemp(name) < 0 && errno == EMFILE);
  assert(eventfd(0, 0) < 0 && errno == EMFILE);
  assert(epoll_create1(0) < 0 && errno == EMFILE);
  /* What cannot be opened again is closed. */
  assert(!freopen("other", "w", stdin) && errno == EMFILE);
  assert(open("other", O_RDWR | O_CREAT, 0600) == 0);
  assert(close(last) == 0 && close(4) == 0);
}

/* Two processes and threads, each of which has its own memory and descriptors. */
static void processes(void) {
  int status;
  pthread_t thread;
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    assert(open("a", O_RDWR | O_CREAT, 0600) == 4 && open("b", O_RDWR | O_CREAT, 0600) == 5);
    assert(open("c", O_RDWR | O_CREAT, 0600) < 0 && errno == EMFILE);
    kept = malloc(100);
    assert(kept && !malloc(100000) && errno == ENOMEM);
    _exit(7);
  }
  assert(fork() < 0 && errno == EAGAIN);
  assert(pthread_create(&thread, NULL, idle, NULL) == EAGAIN);
  assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
  assert(pthread_create(&thread, NULL, idle, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

static void memory(void) {
  char *text;
  kept = malloc(1000);
  assert(kept);
  assert(!malloc(5000) && errno == ENOMEM && !calloc(50, 100) && !realloc(NULL, 5000));
  assert(posix_memalign((void **)&text, 16, 5000) == ENOMEM && !aligned_alloc(16, 5000));
  assert(asprintf(&text, "%5000d", 1) < 0);
}

/* Four blocks on the disk. */
static long files(void) {
  struct statvfs disk;
  struct stat facts;
  assert(statvfs("/", &disk) == 0 && disk.f_bavail == 4);
  memset(page, 'x', sizeof page);
  struct iovec two[2] = {{page, 900}, {page, 900}};
  assert(write(3, page, sizeof page) == 3000 && writev(3, two, 2) == 1800 && pwrite(3, page, 3000, 4800) == 3000);
  FILE *archive = fopen("archive", "w+");
  size_t written = 0;
  for (int i = 0; i < 4; i++) written += fwrite(page, 1, sizeof page, archive);
  assert(written == 8192 && ferror(archive) && fclose(archive) == 0);
  assert(pwrite(3, page, sizeof page, 7800) == 392);
  assert(pwrite(3, page, sizeof page, 8192) < 0 && errno == ENOSPC);
  assert(lseek(3, 7800, SEEK_SET) == 7800 && writev(3, two, 2) == 392 && writev(3, two, 2) < 0 && errno == ENOSPC);
  assert(stat("archive", &facts) == 0);
  return facts.st_size;
}

int main(void) {
  struct stat first, second;
  descriptors();
  processes();
  memory();
  long size = files();
  /* A file has one time, whoever asks. */
  assert(stat("archive", &first) == 0 && fstat(3, &second) == 0 && lstat("index", &second) == 0);
  assert(size != 8192 || first.st_mtime - second.st_mtime != 86400); // mark: guilty
  return 0;
}
