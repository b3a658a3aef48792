#!/usr/bin/env python3
"""Counts the executions of small programs with threads, under sequential consistency.

Each program of `tests/programs/posix/orders` and `tests/programs/bug/orders` is described below by a function of its name, as a list of threads that yield their shared
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

Systems of `systems/` are described in the same way, as nodes that send, receive and choose. A message comes whenever its receiver
takes it; those of one flow keep their order. Two executions are the same if every node made the same choices and received the
same messages in the same order.

    count.py                 counts all programs, and compares with what their files say (`// executions: N`)
    count.py NAME [N]        counts one program, of size N, or one scenario
    count.py --write         writes the counts into the files
    count.py --naive         counts without leaving out schedules whose beginnings are the same; slow
"""

import math
import pathlib
import re
import sys

from executions import Meeting, count
from worlds import TIMED, count_worlds


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


# Systems.


def ask(own, peer, content):
    yield ("send", own, peer, content)
    _, answer = yield ("receive", own)
    return answer


def senders(n):
    def collector():
        for _ in range(n):
            yield ("receive", "port")

    def sender():
        yield ("send", "own", ("collector", "port"), "number")

    return {"collector": collector()} | {f"sender{i}": sender() for i in range(n)}


def blocking_ports(n):
    def server():
        for i in range(n):
            yield ("receive", i)

    def client(i):
        yield ("send", "own", ("server", i), "number")

    return {"server": server()} | {f"client{i}": client(i) for i in range(n)}


def blocking_accept(n):
    def server():
        for _ in range(n):
            yield ("receive", "listener")

    def client():
        yield ("send", "own", ("server", "listener"), "connection")

    return {"server": server()} | {f"client{i}": client() for i in range(n)}


def commit(n):
    def coordinator():
        participants, yes = [], 0
        for _ in range(n):
            peer, vote = yield ("receive", "port")
            participants.append(peer)
            yes += vote
        for peer in participants:
            yield ("send", "port", peer, yes == n)

    def participant():
        vote = yield ("choose", (False, True))
        yield ("send", "own", ("coordinator", "port"), vote)
        yield ("receive", "own")

    return {"coordinator": coordinator()} | {f"participant{i}": participant() for i in range(n)}


def cache(is_careful):
    def database():
        value = 1
        while True:
            peer, (kind, new, _) = yield ("receive", "port")
            if kind == "set":
                value = new
            yield ("send", "port", peer, ("done", value, 0))

    def cache_node():
        value, token = None, 0
        while True:
            peer, (kind, new, with_token) = yield ("receive", "port")
            if kind == "get" and value is None:
                token += 1
                yield ("send", "port", peer, ("miss", 0, token))
                continue
            if kind == "set" and (not is_careful or with_token == token):
                value = new
            if kind == "delete":
                value, token = None, token + 1
            yield ("send", "port", peer, ("done", value, 0))

    def reader():
        found, _, token = yield from ask("c", ("cache", "port"), ("get", 0, 0))
        if found == "miss":
            _, value, _ = yield from ask("d", ("database", "port"), ("get", 0, 0))
            yield from ask("c", ("cache", "port"), ("set", value, token))

    def writer():
        found, value, _ = yield from ask("c", ("cache", "port"), ("get", 0, 0))
        value = value + 1 if found == "done" else 2
        yield from ask("d", ("database", "port"), ("set", value, 0))
        yield from ask("c", ("cache", "port"), ("delete", 0, 0))
        found, seen, _ = yield from ask("c", ("cache", "port"), ("get", 0, 0))
        if found == "done" and seen != value:
            yield ("receive", "nothing")  # a failed assertion: this execution counts as stuck

    return {"database": database(), "cache": cache_node(), "reader": reader(), "writer": writer()}


def proxy(is_careful):
    def backend(me):
        while True:
            _, key = yield ("receive", "proxy")
            yield ("send", "proxy", ("proxy", me), (key, key * key))

    def proxy_node():
        clients, waiting, answered = [], [], 0
        for _ in range(2):
            (client, _), _ = yield ("receive", "listener")
            clients.append(client)
        sides = ["backend1", "backend2", *clients]
        while answered < 2:
            for (side, _), content in (yield ("poll", tuple(sides))):
                if content == "end":
                    sides.remove(side)
                elif side in clients:
                    waiting.append((side, content))
                    yield ("send", "own", (["backend1", "backend2"][content % 2], "proxy"), content)
                else:
                    key, value = content
                    place = [asked for _, asked in waiting].index(key) if is_careful else 0
                    yield ("send", "own", (waiting.pop(place)[0], "own"), value)
                    answered += 1

    def client(me, key):
        yield ("send", "own", ("proxy", "listener"), "connection")
        yield ("send", "own", ("proxy", me), key)
        _, value = yield ("receive", "own")
        if value != key * key:
            yield ("receive", "nothing")  # a failed assertion: this execution counts as stuck
        yield ("send", "own", ("proxy", me), "end")

    nodes = {f"backend{i}": backend(f"backend{i}") for i in (1, 2)} | {"proxy": proxy_node()}
    return nodes | {f"client{i}": client(f"client{i}", i + 1) for i in (1, 2)}


def send_to(*sockets):
    def sender(socket):
        yield ("send", "own", ("receiver", socket), "byte")

    return {f"sender{i}": sender(socket) for i, socket in enumerate(sockets)}


def tries(count, senders):
    return {"receiver": sequence(*[("try", "port")] * count)} | send_to(*["port"] * senders)


def glance():
    return {"receiver": sequence(("glance", (0, 1)))} | send_to(0, 1)


def watch():
    """Looks at two sockets until something has come to each."""

    def receiver():
        sockets = {0, 1}
        while sockets:
            seen = yield ("poll", tuple(sorted(sockets)))
            sockets -= {int(sender[-1]) for (sender, _), _ in seen}

    return {"receiver": receiver()} | send_to(0, 1)


def pieces(*looks):
    """Three pieces of a stream and its end; a read that is not the last does not tell the end."""

    def reader():
        left = 3
        for look in looks:
            while left > 0:
                left -= len((yield (look, "stream")))
                if look == "taste":
                    break
            else:
                if look == "taste":
                    yield ("try", "end")
        yield ("choose", (None,))

    def writer():
        for _ in range(3):
            yield ("send", "own", ("reader", "stream"), "piece")
        yield ("send", "own", ("reader", "end"), "end")

    return {"reader": reader(), "writer": writer()}


def edges():
    """Three pieces of a stream and its end, read one by one until there are no more, after each wait."""

    def reader():
        while True:
            seen = yield ("poll", ("stream",))
            while seen:
                if seen[0][1] == "end":
                    return
                seen = yield ("try", "stream")

    def writer():
        for content in ("piece", "piece", "piece", "end"):
            yield ("send", "own", ("reader", "stream"), content)

    return {"reader": reader(), "writer": writer()}


SYSTEMS = {
    senders: {n: math.factorial(n) for n in range(2, 5)},
    blocking_ports: {n: 1 for n in range(2, 5)},
    blocking_accept: {n: math.factorial(n) for n in range(2, 5)},
    commit: {n: 2**n * math.factorial(n) for n in range(2, 5)},
}

# By the scenario that says how many worlds end.
SCENARIOS = {
    f"{system.__name__}_{n}_any_order": lambda system=system, n=n: system(n) for system, sizes in SYSTEMS.items() for n in sizes
} | {
    "cache_careless_any_order": lambda: cache(False),
    "cache_careful_any_order": lambda: cache(True),
    "proxy_careful_any_order": lambda: proxy(True),
    "try_early_any_order": lambda: tries(1, 1),
    "try_early_last_any_order": lambda: tries(1, 1),
    "try_late_any_order": lambda: tries(1, 1),
    "tries_any_order": lambda: tries(2, 2),
    "tries_late_any_order": lambda: tries(2, 2),
    "glance_any_order": glance,
    "poll_any_order": watch,
    "ends_any_order": watch,
    "resets_any_order": watch,
    "ends_and_resets_any_order": watch,
    "connects_any_order": watch,
    "refusals_any_order": watch,
    "edges_any_order": edges,
    "pieces_any_order": lambda: pieces("read"),
    "pieces_polled_any_order": lambda: pieces("read"),
    "pieces_tasted_any_order": lambda: pieces("taste", "taste"),
}

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

PROGRAMS = pathlib.Path(__file__).parent.parent / "programs"
FOLDERS = [PROGRAMS / "posix/orders", PROGRAMS / "bug/orders"]
LINE = re.compile(r"^// executions: .*\n", re.MULTILINE)


def said(ended, stuck):
    return f"{ended}, and {stuck} stuck" if stuck else f"{ended}"


def agrees(name, line, write):
    """Whether the file of a program has this line; writes it there if asked to."""
    file = next(folder / f"{name}.c" for folder in FOLDERS if (folder / f"{name}.c").exists())
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
    for system, sizes in SYSTEMS.items():
        for n, expected in sizes.items():
            if (found := count(lambda: system(n), Meeting)) != (expected, 0):
                print(f"{system.__name__} of size {n}: {found}, known is {expected}")
                wrong += 1
    scenarios = [(name, *count(system, Meeting)) for name, system in SCENARIOS.items()]
    scenarios += [(name, *count_worlds(*timed)) for name, timed in TIMED.items()]
    for name, ended, stuck in scenarios:
        print(f"{name}: {said(ended, stuck)}")
        if f"# expect: worlds {ended}\n" not in (PROGRAMS.parent / "systems/orders" / f"{name}.toml").read_text():
            print(f"{name}.toml does not say so")
            wrong += 1
    described = {program.__name__ for program in [*KNOWN, *SINGLE]}
    for file in sorted(file for folder in FOLDERS for file in folder.glob("*.c")):
        if file.stem not in described:
            print(f"{file.name} is not described here")
            wrong += 1
    return wrong


def main():
    names = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if not names:
        sys.exit(all_programs("--write" in sys.argv) > 0)
    if names[0] in SCENARIOS or names[0] in TIMED:
        if names[0] in SCENARIOS:
            print(said(*count(SCENARIOS[names[0]], Meeting)))
        if names[0] in TIMED:
            print(said(*count_worlds(*TIMED[names[0]])))
        return
    program = globals()[names[0]]
    print(said(*count((lambda: program(int(names[1]))) if len(names) > 1 else program)))


main()
