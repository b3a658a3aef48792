/* Waiting for descriptors: what is ready is what the script says. */
#include "socket.h"

/* The ready descriptor at a place of the list. */
static int ready_fd(const event *e, uint32_t at, uint32_t *events) {
  uint32_t pair[2];
  memcpy(pair, event_data(e) + 8 * at, sizeof pair);
  *events = pair[1];
  return (int)pair[0];
}

static int ended(const event *e, int64_t count, const char *what) {
  if (e->error == 0 && count != e->result)
    turn_diverge("%s finds %d descriptors ready, expected %d", what, count, e->result);
  int result = (int)(e->error != 0 ? failed(e->error) : e->result);
  turn_pass(e);
  return result;
}

static int polled(unsigned api, struct pollfd_ *list, unsigned long size) {
  const event *e = turn_whole(api);
  int64_t count = 0;
  for (unsigned long i = 0; i < size && e->error == 0; i++) {
    list[i].revents = 0;
    for (uint32_t j = 0; j < e->data_bytes / 8; j++) {
      uint32_t events;
      enum { ALWAYS = 8 | 16 | 32 };
      if (ready_fd(e, j, &events) == list[i].fd)
        list[i].revents = (int16_t)(events & ((uint16_t)list[i].events | ALWAYS));
    }
    count += list[i].revents != 0;
  }
  return ended(e, count, "poll");
}

EXPORT int poll(struct pollfd_ *list, unsigned long size, int timeout) {
  if (!replaying())
    return (int)answered(SYSTEM(poll, list, size, timeout));
  return polled(EVERETT_API_poll, list, size);
}

EXPORT int ppoll(struct pollfd_ *list, unsigned long size, const struct timespec_ *time, const void *mask) {
  if (!replaying())
    return (int)answered(system_call(271, (long)list, (long)size, (long)time, (long)mask, 8, 0));
  return polled(EVERETT_API_ppoll, list, size);
}

EXPORT int __poll_chk(struct pollfd_ *list, unsigned long size, int timeout, size_t room) {
  return (void)room, poll(list, size, timeout);
}

EXPORT int __ppoll_chk(struct pollfd_ *list, unsigned long size, const struct timespec_ *time, const void *mask,
                       size_t room) {
  return (void)room, ppoll(list, size, time, mask);
}

/* A set of descriptors: only those stay in it that are ready in this way. */
static int64_t keep_ready(const event *e, uint64_t *set, int size, uint32_t wanted) {
  int64_t count = 0;
  for (int fd = 0; set && fd < size; fd++) {
    uint64_t bit = (uint64_t)1 << (fd % 64);
    if (!(set[fd / 64] & bit))
      continue;
    int ready = 0;
    for (uint32_t j = 0; j < e->data_bytes / 8; j++) {
      uint32_t events;
      if (ready_fd(e, j, &events) == fd && events & wanted)
        ready = 1;
    }
    count += ready;
    if (!ready)
      set[fd / 64] &= ~bit;
  }
  return count;
}

static int selected(unsigned api, int size, uint64_t *in, uint64_t *out, uint64_t *urgent) {
  const event *e = turn_whole(api);
  int64_t count = 0;
  if (e->error == 0) {
    enum { READABLE = 0x1 | 0x40 | 0x80 | 0x10 | 0x8, WRITABLE = 0x4 | 0x100 | 0x200 | 0x8, URGENT = 0x2 };
    count = keep_ready(e, in, size, READABLE) + keep_ready(e, out, size, WRITABLE) +
            keep_ready(e, urgent, size, URGENT);
  }
  return ended(e, count, "select");
}

EXPORT int select(int size, uint64_t *in, uint64_t *out, uint64_t *urgent, void *time) {
  if (!replaying())
    return (int)answered(system_call(23, size, (long)in, (long)out, (long)urgent, (long)time, 0));
  return selected(EVERETT_API_select, size, in, out, urgent);
}

EXPORT int pselect(int size, uint64_t *in, uint64_t *out, uint64_t *urgent, const void *time, const void *mask) {
  if (!replaying())
    return REAL(pselect)(size, in, out, urgent, time, mask);
  return selected(EVERETT_API_pselect, size, in, out, urgent);
}

/* What a program wants to be told about a descriptor of a set. Several processes may have the set, so all of them see
 * it; and two of them may have put different things into it under one number, so what the program has said in the
 * engine tells them apart. */
struct interest {
  uint32_t next;
  int32_t fd;
  uint64_t set; /* the set, whatever its number */
  uint64_t in_script;
  uint64_t data;
};

static uint64_t set_behind(int epoll) {
  struct stat_ status = {0};
  SYSTEM(fstat, epoll, &status);
  return status.inode;
}

static struct interest *interest_of(uint64_t set, int fd, uint64_t in_script) {
  struct interest *each = shared_thing(script->own[OWN_INTERESTS]);
  while (each && (each->set != set || each->fd != fd || each->in_script != in_script))
    each = shared_thing(each->next);
  return each;
}

EXPORT int epoll_ctl(int epoll, int operation, int fd, const struct epoll_event_ *wanted) {
  if (!replaying())
    return (int)answered(system_call(233, epoll, operation, fd, (long)wanted, 0, 0));
  const event *e = turn_whole(EVERETT_API_epoll_ctl);
  enum { REMOVE = 2 };
  if (e->error == 0 && operation != REMOVE) {
    uint64_t set = set_behind(epoll);
    struct interest *found = interest_of(set, fd, e->aux[3]);
    if (!found) {
      uint32_t number = shared_new(sizeof *found);
      found = shared_thing(number);
      *found = (struct interest){script->own[OWN_INTERESTS], fd, set, e->aux[3], 0};
      script->own[OWN_INTERESTS] = number;
    }
    found->data = wanted->data;
  }
  return ended(e, e->result, "epoll_ctl");
}

static int epolled(unsigned api, int epoll, struct epoll_event_ *list, int room) {
  const event *e = turn_whole(api);
  int count = 0;
  for (uint32_t i = 0; i < e->data_bytes / 8 && e->error == 0 && count < room; i++) {
    uint32_t events;
    uint64_t in_script = 0;
    int fd = ready_fd(e, i, &events);
    if (e->data2_bytes >= 8 * (i + 1))
      memcpy(&in_script, event_data2(e) + 8 * i, sizeof in_script);
    const struct interest *found = interest_of(set_behind(epoll), fd, in_script);
    if (!found)
      turn_diverge("descriptor %d is ready, which it does not wait for", (int64_t)fd);
    list[count++] = (struct epoll_event_){events, found->data};
  }
  return ended(e, count, "epoll_wait");
}

EXPORT int epoll_wait(int epoll, struct epoll_event_ *list, int room, int timeout) {
  if (!replaying())
    return (int)answered(system_call(232, epoll, (long)list, room, timeout, 0, 0));
  return epolled(EVERETT_API_epoll_wait, epoll, list, room);
}

EXPORT int epoll_pwait(int epoll, struct epoll_event_ *list, int room, int timeout, const void *mask) {
  if (!replaying())
    return (int)answered(system_call(281, epoll, (long)list, room, timeout, (long)mask, 8));
  return epolled(EVERETT_API_epoll_pwait, epoll, list, room);
}
