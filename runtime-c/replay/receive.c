/* Receiving: streams give exactly the bytes that the script has, datagrams come in its order.
 *
 * What the network does to datagrams happens here, as it does in the engine: senders really send, and all
 * that arrives is kept until the script wants it. What it never wants was lost. */
#include "socket.h"

enum { LARGEST_DATAGRAM = 65536 };

/* A datagram that has arrived. */
struct datagram {
  struct datagram *next;
  int fd;
  int taken; /* has been given to the program, and may be wanted once more */
  struct address source;
  size_t size;
  unsigned char bytes[];
};

static struct datagram *arrived;

/* Memory that is never given back: a replay is short. */
static void *room_for(size_t size) {
  static unsigned char *next;
  static size_t left;
  size = (size + 15) & ~(size_t)15;
  if (size > left) {
    left = size > 1 << 20 ? size : 1 << 20;
    next = fresh_pages(left);
    if (!next)
      turn_diverge("there is no memory left for what has arrived");
  }
  unsigned char *found = next;
  next += size;
  left -= size;
  return found;
}

void forget_datagrams(int fd) {
  for (struct datagram *each = arrived; each; each = each->next)
    if (each->fd == fd)
      each->fd = -1;
}

static struct datagram *find(int fd, const event *e, const unsigned char *bytes, size_t size) {
  for (struct datagram *each = arrived; each; each = each->next) {
    int fresh = e->flags & EVERETT_DUPLICATE ? each->taken : !each->taken;
    if (each->fd == fd && fresh && each->size == size && comes_from(&each->source, e->aux[0]) &&
        memcmp(each->bytes, bytes, size) == 0)
      return each;
  }
  return NULL;
}

/* Takes all that has arrived from the socket. */
static void collect(int fd) {
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
    struct datagram *new = room_for(sizeof *new + (size_t)size);
    *new = (struct datagram){.fd = fd, .source = source, .size = (size_t)size};
    memcpy(new->bytes, buffer, (size_t)size);
    struct datagram **end = &arrived;
    while (*end)
      end = &(*end)->next;
    *end = new;
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
  const unsigned char *bytes = event_data(e);
  size_t size = e->data_bytes;
  if (e->flags & EVERETT_DAMAGED)
    bytes = event_data2(e), size = e->data2_bytes;
  else if (sender && !(sender->flags & EVERETT_BLOCKS)) /* the program may have asked for less */
    bytes = event_data(sender), size = sender->data_bytes;
  uint64_t until = host_time_ns() + patience_ns();
  struct datagram *found;
  while (collect(fd), !(found = find(fd, e, bytes, size)))
    if (!wait_ready(fd, POLLIN_, until))
      missing_datagram(e, bytes, size);
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

static void compare(const event *e, const unsigned char *bytes, size_t size) {
  size_t known = e->data_bytes < size ? e->data_bytes : size;
  if (memcmp(event_data(e), bytes, known) == 0)
    return;
  char both[2][80];
  struct text texts[2] = {{both[0], sizeof both[0], 0}, {both[1], sizeof both[1], 0}};
  put_bytes(&texts[0], bytes, known);
  put_bytes(&texts[1], event_data(e), known);
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
    if (done < e->data_bytes) {
      size_t known = e->data_bytes - done < (size_t)got ? e->data_bytes - done : (size_t)got;
      event rest = *e;
      rest.data_at += done;
      rest.data_bytes = (uint32_t)known;
      compare(&rest, buffer, known);
    }
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
    struct address source = known_address(e->aux[0]);
    give_address(&source, sizeof source, message->name, &message->name_length);
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
