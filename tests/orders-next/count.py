#!/usr/bin/env python3
"""Counts the executions of small programs with threads, under sequential consistency.

Each program of `threads/` is described below by a function of its name, as a list of threads that yield their shared
operations. All schedules are explored. Two executions are the same if every thread did the same operations, every read reads
from the same write, and the writes to each place are in the same order. So two reads commute, and so do operations on different
places.

| operation | is |
|---|---|
| load, a failed compare-and-swap | a read |
| store | a write |
| fetch-and-add, exchange, a compare-and-swap that succeeds | a read and a write in one |
| lock, unlock, trylock that succeeds | a write to the lock; a failed trylock is a read |
| write lock and unlock of a read-write lock | a write to the lock; a read lock is a read |
| post and wait of a semaphore | a read and a write in one; a failed trywait is a read |
| wait for a condition | an unlock, and a lock once it is woken |
| signal, broadcast | tells whom it has woken, and nothing else |
| barrier | an arrival; arrivals commute (with --ordered-arrivals they are writes to the barrier) |
| once | the first call is a write, the others read what it did |
| create, join | only orders what is before and behind it |

    count.py                 counts all programs, and compares with what their files say (`// executions: N`)
    count.py NAME [N]        counts one program, of size N
    count.py --write         writes the counts into the files
    count.py --naive         counts without leaving out schedules whose beginnings are the same; slow
"""

import math
import pathlib
import re
import sys

NAIVE = "--naive" in sys.argv
ORDERED_ARRIVALS = "--ordered-arrivals" in sys.argv


class Memory:
    """The shared places, and what happened to them."""

    def __init__(self):
        self.values = {}  # place -> value
        self.writes = {}  # place -> the writes to it, in order
        self.owner = {}  # lock -> the thread that holds it
        self.readers = {}  # read-write lock -> the threads that read
        self.waiting = {}  # condition -> the threads that wait
        self.woken = set()
        self.arrived = {}  # barrier -> how many have arrived
        self.created = set()  # threads that others have created
        self.done = set()  # threads that have ended

    def source(self, place):
        """The last write to a place."""
        writes = self.writes.get(place)
        return writes[-1] if writes else None

    def write(self, place, event):
        self.writes.setdefault(place, []).append(event)


def enabled(memory, thread, operation):
    """The ways in which an operation can be done now: none if it blocks."""
    kind, *args = operation
    match kind:
        case "lock" | "wrlock":
            free = args[0] not in memory.owner and not memory.readers.get(args[0])
            return [None] if free else []
        case "rdlock":
            return [None] if args[0] not in memory.owner else []
        case "sem_wait":
            return [None] if memory.values.get(args[0], 0) > 0 else []
        case "resume":
            return [None] if thread in memory.woken and args[1] not in memory.owner else []
        case "signal":
            waiting = sorted(memory.waiting.get(args[0], ()))
            return waiting or [None]
        case "pass":
            return [None] if memory.arrived.get(args[0], 0) % args[1] == 0 else []
        case "once_begin":
            running = memory.values.get(args[0]) == "running"
            return [] if running else [None]
        case "begin":
            return [None] if thread in memory.created else []
        case "join":
            return [None] if args[0] in memory.done else []
    return [None]


def perform(memory, thread, event, operation, choice):
    """Does an operation: what the thread gets, and what tells this event from others."""
    kind, *args = operation
    place = args[0]
    value, source = memory.values.get(place, 0), memory.source(place)
    match kind:
        case "load":
            return value, source
        case "store":
            memory.values[place] = args[1]
            memory.write(place, event)
            return None, None
        case "add" | "exchange":
            memory.values[place] = value + args[1] if kind == "add" else args[1]
            memory.write(place, event)
            return value, source
        case "cas":
            if value != args[1]:
                return False, ("failed", source)
            memory.values[place] = args[2]
            memory.write(place, event)
            return True, source
        case "lock" | "unlock" | "wrlock" | "wrunlock":
            if kind in ("lock", "wrlock"):
                memory.owner[place] = thread
            else:
                assert memory.owner.pop(place) == thread
            memory.write(place, event)
            return None, source
        case "trylock":
            if place in memory.owner:
                return False, ("failed", source)
            memory.owner[place] = thread
            memory.write(place, event)
            return True, source
        case "rdlock" | "rdunlock":
            readers = memory.readers.setdefault(place, set())
            (readers.add if kind == "rdlock" else readers.remove)(thread)
            return None, source if kind == "rdlock" else None
        case "sem_post" | "sem_wait":
            memory.values[place] = value + (1 if kind == "sem_post" else -1)
            memory.write(place, event)
            return None, source
        case "sem_trywait":
            if value == 0:
                return False, ("failed", source)
            memory.values[place] = value - 1
            memory.write(place, event)
            return True, source
        case "wait":
            lock = args[1]
            assert memory.owner.pop(lock) == thread
            memory.waiting.setdefault(place, set()).add(thread)
            memory.write(lock, event)
            return None, None
        case "resume":
            lock = args[1]
            memory.woken.remove(thread)
            memory.owner[lock] = thread
            memory.write(lock, event)
            return None, None
        case "signal" | "broadcast":
            waiting = memory.waiting.setdefault(place, set())
            chosen = set(waiting) if kind == "broadcast" else {choice} - {None}
            waiting -= chosen
            memory.woken |= chosen
            return None, tuple(sorted(chosen))
        case "arrive":
            memory.arrived[place] = memory.arrived.get(place, 0) + 1
            if ORDERED_ARRIVALS:
                memory.write(place, event)
            return None, None
        case "once_begin":
            first = value == 0
            if first:
                memory.values[place] = "running"
                memory.write(place, event)
            return first, source
        case "once_end":
            memory.values[place] = "done"
            memory.write(place, event)
            return None, None
        case "create":
            memory.created.add(place)
            return None, None
        case "pass" | "begin" | "join":
            return None, None
    raise ValueError(kind)


class Execution:
    """The beginning of an execution: what a schedule leads to."""

    def __init__(self, program, schedule):
        self.threads = [body for body in program()]
        self.memory = Memory()
        self.events = [[] for _ in self.threads]
        self.next = []
        for thread, body in enumerate(self.threads):
            self.next.append(None)
            self.advance(thread, None)
        for thread, choice in schedule:
            self.step(thread, choice)

    def advance(self, thread, value):
        try:
            self.next[thread] = self.threads[thread].send(value)
        except StopIteration:
            self.next[thread] = None
            self.memory.done.add(thread)

    def step(self, thread, choice):
        operation = self.next[thread]
        event = (thread, len(self.events[thread]))
        value, seen = perform(self.memory, thread, event, operation, choice)
        self.events[thread].append((operation[:2], seen))
        self.advance(thread, value)

    def choices(self):
        for thread, operation in enumerate(self.next):
            if operation is not None:
                for choice in enabled(self.memory, thread, operation):
                    yield thread, choice

    def ended(self):
        return all(operation is None for operation in self.next)

    def identity(self):
        """What tells this execution from others."""
        writes = tuple(sorted((str(place), tuple(order)) for place, order in self.memory.writes.items()))
        return tuple(map(tuple, self.events)), writes


def count(program):
    """The numbers of executions that end, and of executions that are stuck."""
    ends, stuck, level = set(), set(), {(): ()}
    while level:
        following = {}
        for schedule in level.values():
            execution = Execution(program, schedule)
            choices = list(execution.choices())
            if not choices:
                (ends if execution.ended() else stuck).add(execution.identity())
            for choice in choices:
                longer = schedule + (choice,)
                key = longer if NAIVE else Execution(program, longer).identity()
                following.setdefault(key, longer)
        level = following
    return len(ends), len(stuck)


# Operations.


def load(place):
    return ("load", place)


def store(place, value):
    return ("store", place, value)


def add(place, value=1):
    return ("add", place, value)


def exchange(place, value):
    return ("exchange", place, value)


def cas(place, old, new):
    return ("cas", place, old, new)


def locked(lock, *operations):
    """Operations under a lock."""
    yield ("lock", lock)
    for operation in operations:
        yield operation
    yield ("unlock", lock)


def wait(condition, lock):
    yield ("wait", condition, lock)
    yield ("resume", condition, lock)


def barrier(name, size):
    yield ("arrive", name)
    yield ("pass", name, size)


def once(name, *operations):
    if (yield ("once_begin", name)):
        for operation in operations:
            yield operation
        yield ("once_end", name)


def sequence(*operations):
    """A thread that does the same operations whatever they give."""
    for operation in operations:
        yield operation


# The programs of the table of known counts, by size.


def fetch_and_add(n):
    return [sequence(add("x")) for _ in range(n)]


def one_lock(n):
    return [locked("m") for _ in range(n)]


def readers(n):
    return [sequence(store("x", 1))] + [sequence(load("x")) for _ in range(n)]


def casrot(n):
    return [sequence(cas("x", i - 1, i)) for i in range(1, n + 1)]


def wcas(n):
    return [sequence(store("x", 2))] + [sequence(cas("x", 2, 3)) for _ in range(n)]


def lastzero(n):
    def writer(j):
        before = yield load(("a", j - 1))
        yield store(("a", j), before + 1)

    def searcher():
        i = n
        while (yield load(("a", i))) != 0:
            i -= 1

    return [searcher()] + [writer(j) for j in range(1, n + 1)]


# Programs of one size.


def store_buffering():
    return [sequence(store("x", 1), load("y")), sequence(store("y", 1), load("x"))]


def load_buffering():
    return [sequence(load("x"), store("y", 1)), sequence(load("y"), store("x", 1))]


def message_passing():
    return [sequence(store("x", 1), store("y", 1)), sequence(load("y"), load("x"))]


def message_passing_checked():
    def receiver():
        if (yield load("ready")):
            yield load("value")

    return [sequence(store("value", 7), store("ready", 1)), receiver()]


def two_writers_of_two_places():
    return [sequence(store("x", 1), store("y", 2)), sequence(store("y", 1), store("x", 2))]


def independent_reads_of_independent_writes():
    return [
        sequence(store("x", 1)),
        sequence(store("y", 1)),
        sequence(load("x"), load("y")),
        sequence(load("y"), load("x")),
    ]


def write_to_read_causality():
    return [
        sequence(store("x", 1)),
        sequence(load("x"), store("y", 1)),
        sequence(load("y"), load("x")),
    ]


def two_writers_read_twice():
    return [sequence(store("x", 1)), sequence(store("x", 2)), sequence(load("x"), load("x"))]


def reads_commute():
    return [sequence(load("x"), load("y")) for _ in range(3)]


def places_of_their_own():
    return [sequence(store(("own", i), 1), load(("own", i))) for i in range(4)]


def load_then_store():
    def increment():
        seen = yield load("x")
        yield store("x", seen + 1)

    return [increment(), increment()]


def load_then_store_by_three():
    def increment():
        seen = yield load("x")
        yield store("x", seen + 1)

    return [increment(), increment(), increment()]


def plain_increment():
    return load_then_store()


def plain_flag_and_value():
    return message_passing_checked()


def two_additions_each():
    return [sequence(add("x"), add("x")), sequence(add("x"), add("x"))]


def exchanges():
    return [sequence(exchange("x", i + 1)) for i in range(3)]


def cas_or_count():
    def claim(name):
        if not (yield cas("owner", 0, name)):
            yield add("losers")

    return [claim(1), claim(2), claim(3)]


def push_once():
    def push(node):
        old = yield load("head")
        yield cas("head", old, node)

    return [push(1), push(2)]


def flags_of_two():
    def enter(me):
        yield store(("wants", me), 1)
        if not (yield load(("wants", 1 - me))):
            yield add("inside")

    return [enter(0), enter(1)]


def sequence_lock():
    def reader():
        first = yield load("sequence")
        yield load("value")
        if first % 2 == 0:
            yield load("sequence")

    return [sequence(add("sequence"), store("value", 1), add("sequence")), reader()]


def main_takes_part():
    return [sequence(add("x"), ("join", 1), ("join", 2), load("x")), sequence(add("x")), sequence(add("x"))]


def one_after_the_other():
    def main():
        yield store("x", 1)
        yield ("create", 1)
        yield ("join", 1)
        yield add("x")
        yield ("create", 2)
        yield ("join", 2)
        yield load("x")

    return [main(), sequence(("begin", 1), add("x")), sequence(("begin", 2), add("x"))]


def created_in_the_middle():
    def main():
        yield add("x")
        yield ("create", 1)
        yield add("x")
        yield ("join", 1)

    return [main(), sequence(("begin", 1), add("x"), add("x"))]


def lock_and_count():
    return [locked("m", load("x"), store("x", 1)), locked("m", load("x"), store("x", 2)), locked("m", load("x"))]


def two_locks_two_pairs():
    return [locked("a"), locked("a"), locked("b"), locked("b")]


def nested_locks_in_one_order():
    def both():
        yield ("lock", "a")
        yield ("lock", "b")
        yield ("unlock", "b")
        yield ("unlock", "a")

    return [both(), both()]


def nested_locks_in_opposite_order():
    def both(first, second):
        yield ("lock", first)
        yield ("lock", second)
        yield ("unlock", second)
        yield ("unlock", first)

    return [both("a", "b"), both("b", "a")]


def locks_one_after_the_other():
    def each(first, second):
        yield from locked(first)
        yield from locked(second)

    return [each("a", "b"), each("b", "a")]


def try_to_lock():
    def body():
        if (yield ("trylock", "m")):
            yield ("unlock", "m")
        else:
            yield add("refused")

    return [body(), body()]


def locked_write_atomic_read():
    return [locked("m", store("x", 1)), locked("m", store("x", 2)), sequence(load("x"))]


def two_readers_one_writer():
    def reader():
        yield ("rdlock", "l")
        yield load("x")
        yield ("rdunlock", "l")

    def writer():
        yield ("wrlock", "l")
        yield store("x", 1)
        yield ("wrunlock", "l")

    return [writer(), reader(), reader()]


def two_writers_one_reader():
    def reader():
        yield ("rdlock", "l")
        yield load("x")
        yield ("rdunlock", "l")

    def writer(value):
        yield ("wrlock", "l")
        yield store("x", value)
        yield ("wrunlock", "l")

    return [writer(1), writer(2), reader()]


def handed_over_by_a_condition():
    def consumer():
        yield ("lock", "m")
        while not (yield load("ready")):
            yield from wait("c", "m")
        yield ("unlock", "m")

    return [consumer(), locked("m", store("ready", 1), ("signal", "c"))]


def two_wait_for_a_broadcast():
    def consumer():
        yield ("lock", "m")
        while not (yield load("ready")):
            yield from wait("c", "m")
        yield ("unlock", "m")

    return [consumer(), consumer(), locked("m", store("ready", 1), ("broadcast", "c"))]


def signal_that_may_be_lost():
    def consumer():
        yield ("lock", "m")
        yield from wait("c", "m")
        yield ("unlock", "m")

    return [consumer(), locked("m", ("signal", "c"))]


def handed_over_by_a_semaphore():
    return [sequence(store("x", 1), ("sem_post", "s")), sequence(("sem_wait", "s"), load("x"))]


def semaphore_as_a_lock():
    def body():
        yield ("sem_wait", "s")
        yield ("sem_post", "s")

    return [sequence(("sem_post", "s"))] + [body() for _ in range(2)]


def two_posts_one_wait():
    return [sequence(("sem_post", "s")), sequence(("sem_post", "s")), sequence(("sem_wait", "s"))]


def try_a_semaphore():
    return [sequence(("sem_post", "s")), sequence(("sem_trywait", "s")), sequence(("sem_trywait", "s"))]


def phases_of_a_barrier():
    def body(me):
        yield store(("own", me), 1)
        yield from barrier("b", 2)
        yield load(("own", 1 - me))

    return [body(0), body(1)]


def additions_around_a_barrier():
    def body():
        yield add("x")
        yield from barrier("b", 2)
        yield add("x")

    return [body(), body()]


def barrier_of_three():
    def body(me):
        yield from barrier("b", 3)
        yield (store("x", me) if me < 2 else load("x"))

    return [body(0), body(1), body(2)]


def once_by_three():
    return [once("o", store("x", 1)) for _ in range(3)]


def once_and_then_add():
    def body():
        yield from once("o", store("x", 10))
        yield add("x")

    return [body(), body()]


KNOWN = {
    fetch_and_add: {n: math.factorial(n) for n in range(2, 7)},
    one_lock: {n: math.factorial(n) for n in range(2, 7)},
    readers: {n: 2**n for n in range(2, 8)},
    casrot: dict(zip(range(2, 9), [2, 5, 14, 43, 144, 523, 2048])),
    wcas: dict(zip(range(2, 7), [5, 13, 33, 81, 193])),
    lastzero: {n: (n + 3) * 2 ** (n - 2) for n in range(2, 8)},
}

SINGLE = [
    store_buffering,
    load_buffering,
    message_passing,
    message_passing_checked,
    two_writers_of_two_places,
    independent_reads_of_independent_writes,
    write_to_read_causality,
    two_writers_read_twice,
    reads_commute,
    places_of_their_own,
    load_then_store,
    load_then_store_by_three,
    plain_increment,
    plain_flag_and_value,
    two_additions_each,
    exchanges,
    cas_or_count,
    push_once,
    flags_of_two,
    sequence_lock,
    main_takes_part,
    one_after_the_other,
    created_in_the_middle,
    lock_and_count,
    two_locks_two_pairs,
    nested_locks_in_one_order,
    nested_locks_in_opposite_order,
    locks_one_after_the_other,
    try_to_lock,
    locked_write_atomic_read,
    two_readers_one_writer,
    two_writers_one_reader,
    handed_over_by_a_condition,
    two_wait_for_a_broadcast,
    signal_that_may_be_lost,
    handed_over_by_a_semaphore,
    semaphore_as_a_lock,
    two_posts_one_wait,
    try_a_semaphore,
    phases_of_a_barrier,
    additions_around_a_barrier,
    barrier_of_three,
    once_by_three,
    once_and_then_add,
]

FOLDER = pathlib.Path(__file__).parent / "threads"
LINE = re.compile(r"^// executions: .*\n", re.MULTILINE)


def said(ended, stuck):
    return f"{ended}, and {stuck} stuck" if stuck else f"{ended}"


def agrees(name, line, write):
    """Whether the file of a program has this line; writes it there if asked to."""
    file = FOLDER / f"{name}.c"
    text = file.read_text()
    if write:
        file.write_text(LINE.sub(lambda _: line, text, count=1))
        return True
    found = LINE.search(text)
    return found is not None and found.group() == line


def all_programs(write):
    wrong = 0
    for program, sizes in KNOWN.items():
        counts = {n: count(lambda: program(n)) for n in sizes}
        for n, expected in sizes.items():
            if counts[n] != (expected, 0):
                print(f"{program.__name__} of size {n}: {counts[n]}, known is {expected}")
                wrong += 1
        line = ", ".join(f"{ended} with -DN={n}" for n, (ended, _) in counts.items())
        print(f"{program.__name__}: {line}")
        if not agrees(program.__name__, f"// executions: {line}\n", write):
            print(f"{program.__name__}.c does not say so")
            wrong += 1
    for program in SINGLE:
        line = said(*count(program))
        print(f"{program.__name__}: {line}")
        if not agrees(program.__name__, f"// executions: {line}\n", write):
            print(f"{program.__name__}.c does not say so")
            wrong += 1
    described = {program.__name__ for program in [*KNOWN, *SINGLE]}
    for file in sorted(FOLDER.glob("*.c")):
        if file.stem not in described:
            print(f"{file.name} is not described here")
            wrong += 1
    return wrong


def main():
    names = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if not names:
        sys.exit(all_programs("--write" in sys.argv) > 0)
    program = globals()[names[0]]
    print(said(*count((lambda: program(int(names[1]))) if len(names) > 1 else program)))


main()
