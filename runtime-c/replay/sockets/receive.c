/* Receiving: streams give exactly the bytes that the script has, datagrams come in its order.
 *
 * What the network does to datagrams happens here, as it does in the engine: senders really send, and all
 * that arrives is kept until the script wants it. What it never wants was lost. */
#include "socket.h"

enum { LARGEST_DATAGRAM = 65536 };

/* A datagram that has arrived and that the script has not wanted yet, or may want once more. Several processes may
 * have one socket, under several numbers: so all of them see what has arrived for it. */
struct datagram {
  uint32_t next;
  uint32_t taken;   /* has been given to the program */
  uint32_t sent_by; /* the event that sent it before its receiver was there, plus 1; otherwise 0 */
  uint32_t size;
  uint64_t socket; /* the socket, whatever its number */
  struct address source;
  unsigned char bytes[];
};

static struct datagram *new_datagram(const unsigned char *bytes, size_t size) {
  uint32_t number = shared_new(sizeof(struct datagram) + size);
  struct datagram *new = shared_thing(number), *last = shared_thing(script->own[OWN_LAST_DATAGRAM]);
  new->size = (uint32_t)size;
  memcpy(new->bytes, bytes, size);
  if (last)
    last->next = number;
  else
    script->own[OWN_DATAGRAMS] = number;
  script->own[OWN_LAST_DATAGRAM] = number;
  return new;
}

void keep_early(const event *sent, const struct msghdr_ *message) {
  static unsigned char whole[LARGEST_DATAGRAM];
  size_t size = 0;
  for (int i = 0; i < message->vector_length; i++) {
    size_t part = message->vector[i].length;
    if (part > sizeof whole - size)
      part = sizeof whole - size;
    memcpy(whole + size, message->vector[i].base, part);
    size += part;
  }
  new_datagram(whole, size)->sent_by = event_number(sent) + 1;
}

static uint64_t socket_behind(int fd) {
  struct stat_ status = {0};
  SYSTEM(fstat, fd, &status);
  return status.inode;
}

/* What is to be received: the bytes that were sent, where those of the event are others. */
struct wanted {
  const event *of; /* the event whose data it is; NULL if it is given as bytes */
  const unsigned char *bytes;
  size_t size;
};

static int is_wanted(const struct datagram *datagram, const struct wanted *wanted) {
  size_t at = 0;
  if (datagram->size != wanted->size)
    return 0;
  return wanted->of ? same_bytes(wanted->of, datagram->bytes, datagram->size, &at)
                    : memcmp(datagram->bytes, wanted->bytes, wanted->size) == 0;
}

static struct datagram *find(uint64_t socket, const event *e, const struct wanted *wanted) {
  struct datagram *each = shared_thing(script->own[OWN_DATAGRAMS]);
  for (; each; each = shared_thing(each->next)) {
    if (each->sent_by != 0 && each->sent_by == e->partner + 1)
      return each;
    int fresh = e->flags & EVERETT_DUPLICATE ? each->taken : !each->taken;
    if (each->sent_by == 0 && each->socket == socket && fresh && comes_from(&each->source, e->aux[0]) &&
        is_wanted(each, wanted))
      return each;
  }
  return NULL;
}

/* Takes all that has arrived from the socket. */
static void collect(int fd, uint64_t socket) {
  static unsigned char buffer[LARGEST_DATAGRAM];
  for (;;) {
    struct address source = {0};
    uint32_t source_size = sizeof source;
    long size = SYSTEM(recvfrom, fd, buffer, sizeof buffer, MSG_DONTWAIT_, &source, &source_size);
    if (size == -E_AGAIN || size == -E_INTR)
      return;
    /* An error that a packet has caused is told once; in the script it is an event of its own. */
    if (size < 0)
      continue;
    struct datagram *new = new_datagram(buffer, (size_t)size);
    new->socket = socket;
    new->source = source;
  }
}

static void put_bytes(struct text *text, const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size && i < 32; i++)
    text_put(text, "%s%x", bytes[i] < 16 ? "0" : "", (uint64_t)bytes[i]);
  if (size > 32)
    text_put(text, "...");
}

static _Noreturn void missing_datagram(const event *e, const unsigned char *bytes, size_t size) {
  char wanted[80];
  struct text text = {wanted, sizeof wanted, 0};
  put_bytes(&text, bytes, size);
  turn_diverge("it should receive %u bytes from %a:%u (%s), which have not arrived", (uint64_t)size,
               word_ip(e->aux[0]), (uint64_t)word_port(e->aux[0]), wanted);
}

/* Takes the datagram that the script has from the socket. */
static void take_datagram(const event *e, int fd) {
  const event *sender = event_partner(e);
  struct wanted wanted = {e, event_data(e), e->data_bytes};
  if (sender && !(sender->flags & EVERETT_BLOCKS)) /* the program may have asked for less, or got it damaged */
    wanted = (struct wanted){sender, event_data(sender), sender->data_bytes};
  else if (e->flags & EVERETT_DAMAGED)
    wanted = (struct wanted){NULL, event_data2(e), e->data2_bytes};
  uint64_t until = host_time_ns() + patience_ns(), socket = socket_behind(fd);
  struct datagram *found;
  while (collect(fd, socket), !(found = find(socket, e, &wanted)))
    if (!wait_ready(fd, POLLIN_, until))
      missing_datagram(e, wanted.bytes, wanted.size);
  if (!(e->flags & EVERETT_PEEK))
    found->taken = 1;
}

/* Puts bytes into the buffers of a call; how many fitted. */
static size_t scatter(const struct msghdr_ *message, const unsigned char *bytes, size_t size) {
  size_t done = 0;
  for (int i = 0; i < message->vector_length && done < size; i++) {
    size_t part = message->vector[i].length < size - done ? message->vector[i].length : size - done;
    memcpy(message->vector[i].base, bytes + done, part);
    done += part;
  }
  return done;
}

/* Compares bytes of a stream with those that the script has from a place on. */
static void compare(const event *e, const unsigned char *bytes, size_t size, size_t from) {
  size_t at = from;
  if (same_bytes(e, bytes, size, &at))
    return;
  char both[2][80];
  struct text texts[2] = {{both[0], sizeof both[0], 0}, {both[1], sizeof both[1], 0}};
  put_bytes(&texts[0], bytes, size);
  put_bytes(&texts[1], event_data(e) + from, e->data_bytes - from < size ? e->data_bytes - from : size);
  turn_diverge("it receives other bytes: %s, expected %s", both[0], both[1]);
}

/* Reads so many bytes of a stream. */
static void take_stream(const event *e, int fd) {
  static unsigned char buffer[1 << 16];
  uint64_t until = host_time_ns() + patience_ns();
  size_t wanted = (size_t)e->result, done = 0;
  int flags = MSG_DONTWAIT_ | (e->flags & EVERETT_PEEK ? MSG_PEEK_ : 0);
  while (done < wanted) {
    size_t part = wanted - done < sizeof buffer ? wanted - done : sizeof buffer;
    if (!wait_ready(fd, POLLIN_, until))
      turn_diverge("it should receive %d bytes, of which %u have arrived", e->result, (uint64_t)done);
    long got = SYSTEM(recvfrom, fd, buffer, part, flags, 0, 0);
    if (got == -E_AGAIN || got == -E_INTR)
      continue;
    if (got <= 0)
      turn_diverge("it should receive %d bytes, but the connection is over after %u (%d)", e->result,
                   (uint64_t)done, (int64_t)got);
    if (e->flags & EVERETT_PEEK && (size_t)got < part) {
      host_sleep_ns(1000000);
      continue;
    }
    if (done < e->data_bytes && !(e->flags & EVERETT_DAMAGED))
      compare(e, buffer, (size_t)got, done);
    done += (size_t)got;
  }
}

/* Bytes of a pipe. What a process has left in its streams is written after its last event. */
static long take_pipe(const event *e, int fd, struct iovec_ *vector, int count) {
  long got = SYSTEM(readv, fd, vector, count);
  uint64_t until = host_time_ns() + patience_ns();
  while (got > 0 && got < e->result && wait_ready(fd, POLLIN_, until)) {
    struct iovec_ rest[16];
    size_t skipped = (size_t)got;
    int used = 0;
    for (int i = 0; i < count; i++) {
      size_t part = vector[i].length < skipped ? vector[i].length : skipped;
      skipped -= part;
      if (part < vector[i].length)
        rest[used++] = (struct iovec_){(char *)vector[i].base + part, vector[i].length - part};
    }
    long more = SYSTEM(readv, fd, rest, used);
    if (more <= 0)
      break;
    got += more;
  }
  return got;
}

/* A message from within the node, with all that may come along with it. */
static long take_within(const event *e, int fd, struct msghdr_ *message, int flags) {
  if (!wait_ready(fd, POLLIN_, host_time_ns() + patience_ns()))
    turn_diverge("it should receive %d bytes, which have not arrived", e->result);
  struct iovec_ shorter[16];
  struct msghdr_ wanted = *message;
  size_t left = (size_t)e->result;
  int count = 0;
  for (; count < message->vector_length && count < 16 && left > 0; count++) {
    shorter[count] = message->vector[count];
    if (shorter[count].length > left)
      shorter[count].length = left;
    left -= shorter[count].length;
  }
  wanted.vector = shorter;
  wanted.vector_length = count;
  long got = SYSTEM(recvmsg, fd, &wanted, flags | MSG_DONTWAIT_);
  if (got == -88) /* ENOTSOCK: a pipe or a counter */
    got = take_pipe(e, fd, shorter, count);
  if (got != e->result)
    turn_diverge("it receives %d bytes, expected %d", (int64_t)got, e->result);
  wanted.vector = message->vector;
  wanted.vector_length = message->vector_length;
  *message = wanted;
  return got;
}

static void give_source(const event *e, struct msghdr_ *message) {
  if (!message->name)
    return;
  if (e->flags & EVERETT_DATAGRAM) {
    give_known_address(e->aux[0], message->name, &message->name_length);
  } else {
    message->name_length = 0;
  }
}

/* What came along with a message, such as its time to live. */
static void give_control(const event *e, struct msghdr_ *message) {
  int has_any = e->api == EVERETT_API_recvmsg && !(e->flags & EVERETT_DAMAGED);
  size_t size = has_any ? e->data2_bytes : 0;
  if (size > message->control_length)
    size = message->control_length;
  if (size > 0)
    memcpy(message->control, event_data2(e), size);
  message->control_length = (uint32_t)size;
  int tells_flags = e->api == EVERETT_API_recvmsg || e->api == EVERETT_API_recvmmsg;
  message->flags = tells_flags ? (int32_t)e->aux[3] : 0;
}

long receive_event(const event *e, int fd, struct msghdr_ *message, int flags) {
  if (e->flags & EVERETT_BLOCKS)
    e = turn_return(e);
  long result = e->result;
  if (e->error != 0) {
    result = failed(e->error);
  } else if (e->flags & EVERETT_FED || is_device(fd) || (result == 0 && !(e->flags & EVERETT_DATAGRAM))) {
    scatter(message, event_data(e), e->data_bytes);
    message->name_length = 0;
  } else if (e->flags & EVERETT_WITHIN) {
    result = take_within(e, fd, message, flags);
  } else {
    if (e->flags & EVERETT_DATAGRAM)
      take_datagram(e, fd);
    else
      take_stream(e, fd);
    size_t given = scatter(message, event_data(e), e->data_bytes);
    give_source(e, message);
    give_control(e, message);
    if ((long)given > result)
      turn_diverge("its buffers take %u bytes, expected %d", (uint64_t)given, (int64_t)result);
  }
  turn_pass(e);
  return result;
}

long receive(unsigned api, int fd, struct msghdr_ *message, int flags) {
  return receive_event(turn_take(api), fd, message, flags);
}
