// Opening a FIFO without waiting: a reader may, a writer needs one (ENXIO); and mkfifo's errors.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *name(int error) {
  switch (error) {
  case 0: return "ok";
  case EAGAIN: return "EAGAIN";
  case EEXIST: return "EEXIST";
  case ENOENT: return "ENOENT";
  case ENXIO: return "ENXIO";
  case ENOTDIR: return "ENOTDIR";
  case ESPIPE: return "ESPIPE";
  default: return "other";
  }
}

static int say(const char *what, long result) {
  printf("%s: %s\n", what, name(result < 0 ? errno : 0));
  return (int)result;
}

static void count(const char *what, ssize_t bytes) { printf("%s: %zd\n", what, bytes); }

int main(void) {
  struct stat info;
  char data[8];
  umask(022);
  say("make", mkfifo("queue", 0666));
  say("again", mkfifo("queue", 0666));
  say("nowhere", mkfifo("no/queue", 0666));
  say("below", mkfifo("queue/queue", 0666));
  say("stat", stat("queue", &info));
  printf("fifo %d mode %o size %ld\n", S_ISFIFO(info.st_mode), info.st_mode & 0777, (long)info.st_size);
  say("writer alone", open("queue", O_WRONLY | O_NONBLOCK));
  int reader = say("reader alone", open("queue", O_RDONLY | O_NONBLOCK));
  count("no writer", read(reader, data, 8));
  int writer = say("writer", open("queue", O_WRONLY | O_NONBLOCK));
  say("empty", read(reader, data, 8));
  count("write", write(writer, "abc", 3));
  count("read", read(reader, data, 8));
  say("seek", lseek(reader, 0, SEEK_SET));
  close(writer);
  count("writer left", read(reader, data, 8));
  close(reader);
  say("reader left", open("queue", O_WRONLY | O_NONBLOCK));
  int both = say("both", open("queue", O_RDWR));
  count("write", write(both, "xyz", 3));
  count("read", read(both, data, 8));
  int late = say("writer beside both", open("queue", O_WRONLY | O_NONBLOCK));
  say("unlink", unlink("queue"));
  count("write", write(late, "unlinked", 8));
  count("read", read(both, data, 8));
  say("gone", open("queue", O_RDONLY | O_NONBLOCK));
  return 0;
}
