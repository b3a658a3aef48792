// A folder that is watched: everything that happens to the files in it, in order.
#include "../check.h"
#include <sys/inotify.h>

static int fd;
static unsigned cookie;

static void told(const char *of) {
  printf("%s:", of);
  _Alignas(struct inotify_event) char buffer[4096];
  for (ssize_t count; (count = read(fd, buffer, sizeof buffer)) > 0;)
    for (char *at = buffer; at < buffer + count;) {
      struct inotify_event *event = (struct inotify_event *)at;
      printf(" %d", event->wd);
      static const char *const names[] = {
          "access", "modify", "attrib",      "close_write", "close_nowrite", "open",
          "from",   "to",     "create",      "delete",      "delete_self",   "move_self",
          "?",      "unmount", "overflow", "ignored"};
      for (int bit = 0; bit < 16; bit++)
        if (event->mask & 1u << bit)
          printf(",%s", names[bit]);
      if (event->mask & IN_ISDIR)
        printf(",folder");
      if (event->len)
        printf(",%s/%u", event->name, event->len);
      if (event->cookie) {
        printf(",%s", event->cookie == cookie ? "same" : "new");
        cookie = event->cookie;
      }
      at += sizeof *event + event->len;
    }
  printf("\n");
}

int main(void) {
  need(mkdir("d", 0755) == 0, "mkdir");
  fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  OK(inotify_init1(7));
  SHOW(inotify_add_watch(fd, "d", 0));
  SHOW(inotify_add_watch(fd, "nothing", IN_CREATE));
  SHOW(inotify_add_watch(fd, "d", IN_ALL_EVENTS));
  told("nothing yet");
  int file = open("d/file", O_CREAT | O_RDWR, 0644);
  told("made");
  need(write(file, "abc", 3) == 3, "write");
  need(write(file, "def", 3) == 3, "write");
  told("written twice");
  char text[8];
  need(pread(file, text, 8, 0) == 6, "pread");
  told("read");
  need(ftruncate(file, 1) == 0 && fchmod(file, 0600) == 0, "attributes");
  told("changed");
  close(file);
  told("closed");
  close(open("d/file", O_RDONLY));
  told("looked at");
  need(mkdir("d/inner", 0755) == 0 && symlink("file", "d/link") == 0, "mkdir");
  told("folder and link");
  need(rename("d/file", "d/a much longer name") == 0, "rename");
  told("renamed");
  need(rename("d/a much longer name", "outside") == 0, "rename");
  told("moved out");
  need(rename("outside", "d/back") == 0, "rename");
  told("moved in");
  need(link("d/back", "d/twin") == 0, "link");
  told("linked");
  need(unlink("d/link") == 0 && rmdir("d/inner") == 0, "unlink");
  told("removed");
  SHOW(inotify_add_watch(fd, "d/back", IN_ATTRIB | IN_MODIFY | IN_MOVE_SELF | IN_DELETE_SELF));
  need(chmod("d/twin", 0644) == 0, "chmod");
  told("both");
  need(unlink("d/twin") == 0, "unlink");
  told("one name less");
  need(rename("d/back", "d/there") == 0, "rename");
  told("moved itself");
  SHOW(inotify_rm_watch(fd, 1));
  told("unwatched");
  SHOW(inotify_rm_watch(fd, 1));
  need(unlink("d/there") == 0, "unlink");
  told("the end");
  return 0;
}
