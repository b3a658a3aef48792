/* The plan of a replay: a text with a word and values on each line. In values, %XX stands for a byte. */
#include "conductor.h"

static int hex(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* Takes the next word off a line, in place. */
static char *next_word(char **line) {
  while (**line == ' ')
    (*line)++;
  if (!**line)
    return NULL;
  char *word = *line, *to = word;
  for (; **line && **line != ' '; (*line)++) {
    if (**line == '%' && hex((*line)[1]) >= 0 && hex((*line)[2]) >= 0) {
      *to++ = (char)(hex((*line)[1]) << 4 | hex((*line)[2]));
      *line += 2;
    } else if (**line != '%') {
      *to++ = **line;
    }
  }
  if (**line)
    (*line)++;
  *to = 0;
  return word;
}

static int32_t number_of(const char *text) {
  int negative = *text == '-';
  int32_t number = 0;
  for (text += negative; *text >= '0' && *text <= '9'; text++)
    number = number * 10 + (*text - '0');
  return negative ? -number : number;
}

static void understand_expectation(const char *kind, char **line) {
  static const char *const kinds[EXPECTATIONS] = {"assert", "memory", "deadlock", "hang", "exposed", "ended", "race",
                                                    "accepted"};
  int known = 0;
  while (known < EXPECTATIONS && !same_text(kind, kinds[known]))
    known++;
  if (known == EXPECTATIONS)
    give_up("the plan expects %s, which is not known", kind);
  plan.expected = (enum expectation)known;
  plan.expected_node = next_word(line);
  plan.expected_text = next_word(line);
}

static void understand_node(struct node *node, const char *key, char *value, char **line) {
  struct boot *boot = plan.boot_count > 0 ? &plan.boots[plan.boot_count - 1] : NULL;
  if (same_text(key, "hostname"))
    node->hostname = value;
  else if (same_text(key, "network"))
    node->network = value;
  else if (same_text(key, "uid"))
    node->uid = (uint32_t)number_of(value);
  else if (same_text(key, "gid"))
    node->gid = (uint32_t)number_of(value);
  else if (same_text(key, "stack"))
    node->stack = (uint32_t)number_of(value);
  else if (same_text(key, "umask"))
    node->umask = (uint32_t)number_of(value);
  else if (same_text(key, "boot") && plan.boot_count < BOOTS_MAX) {
    if (node->boot_count == 0)
      node->first_boot = plan.boot_count;
    node->boot_count++;
    plan.boots[plan.boot_count++].root = value;
  } else if (!boot || node->boot_count == 0)
    give_up("the plan has a line %s where it does not belong", key);
  else if (same_text(key, "thread"))
    boot->thread = value;
  else if (same_text(key, "cwd"))
    boot->cwd = value;
  else if (same_text(key, "program"))
    boot->program = value;
  else if (same_text(key, "arg") && boot->argument_count < 255)
    boot->arguments[boot->argument_count++] = value;
  else if (same_text(key, "env") && boot->environment_count < 250)
    boot->environment[boot->environment_count++] = value;
  else if (same_text(key, "socket") && boot->socket_count < SOCKETS_MAX) {
    const char *mode = next_word(line);
    boot->sockets[boot->socket_count++] = (struct named_socket){value, (uint32_t)number_of(mode ? mode : "0")};
  } else
    give_up("the plan has a line %s, which is not known or comes too often", key);
}

static void understand(char *line) {
  static char empty[1];
  char *key = next_word(&line);
  if (!key || *key == '#')
    return;
  char *value = next_word(&line);
  if (!value)
    value = empty;
  if (same_text(key, "expect")) {
    understand_expectation(value, &line);
  } else if (same_text(key, "end") && plan.end_count < ENDS_MAX) {
    char *status = next_word(&line);
    plan.ends[plan.end_count].node = value;
    plan.ends[plan.end_count++].status = number_of(status ? status : "-1");
  } else if (same_text(key, "node") && plan.node_count < NODES_MAX) {
    plan.nodes[plan.node_count++] = (struct node){.name = value, .umask = 022};
  } else if (plan.node_count > 0) {
    understand_node(&plan.nodes[plan.node_count - 1], key, value, &line);
  } else {
    give_up("the plan has a line %s, which is not known", key);
  }
}

void read_plan(const char *file) {
  enum { PLAN_BYTES_MAX = 1 << 24 };
  long fd = SYSTEM(open, file, 0, 0);
  if (fd < 0)
    give_up("%s cannot be opened: error %d", file, (int64_t)-fd);
  char *text = fresh_pages(PLAN_BYTES_MAX);
  if (!text)
    give_up("there is no memory");
  size_t size = 0;
  long part;
  while (size < PLAN_BYTES_MAX - 1 && (part = SYSTEM(read, fd, text + size, PLAN_BYTES_MAX - 1 - size)) > 0)
    size += (size_t)part;
  SYSTEM(close, fd);
  for (char *line = text; *line;) {
    char *end = line;
    while (*end && *end != '\n')
      end++;
    char *next = *end ? end + 1 : end;
    *end = 0;
    understand(line);
    line = next;
  }
}
