"""Executions of programs with threads, and of systems of nodes: all schedules are followed, and those that nobody can tell apart count once."""

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


def count(program, kind=Execution):
    """The numbers of executions that end, and of executions that are stuck."""
    ends, stuck, level = set(), set(), {(): ()}
    while level:
        following = {}
        for schedule in level.values():
            execution = kind(program, schedule)
            choices = list(execution.choices())
            if not choices:
                (ends if execution.ended() else stuck).add(execution.identity())
            for choice in choices:
                longer = schedule + (choice,)
                key = longer if NAIVE else kind(program, longer).identity()
                following.setdefault(key, longer)
        level = following
    return len(ends), len(stuck)


class Meeting:
    """The beginning of an execution of a system: what its nodes have sent, received and chosen."""

    def __init__(self, system, schedule):
        self.nodes = system()
        self.flows = {}  # receiver and its socket -> sender and its socket -> messages that are on their way
        self.sent = {name: 0 for name in self.nodes}
        self.seen = {name: [] for name in self.nodes}
        self.next = {}
        for name in self.nodes:
            self.advance(name, None)
        for name, choice in schedule:
            self.step(name, choice)

    def advance(self, name, value):
        """Runs a node until it receives or chooses. What it sends meanwhile is on its way."""
        try:
            operation = self.nodes[name].send(value)
            while operation[0] == "send":
                _, socket, receiver, content = operation
                self.sent[name] += 1
                flows = self.flows.setdefault(receiver, {})
                flows.setdefault((name, socket), []).append(((name, self.sent[name]), content))
                operation = self.nodes[name].send(None)
            self.next[name] = operation
        except StopIteration:
            self.next[name] = None

    def choices(self):
        for name, operation in self.next.items():
            if operation is None:
                continue
            yield from ((name, choice) for choice in self.views(name, *operation))

    def coming(self, name, socket):
        """The flows to a socket from which something is on its way, and how much."""
        flows = self.flows.get((name, socket), {})
        return {flow: len(messages) for flow, messages in flows.items() if messages}

    def views(self, name, kind, what):
        """What an operation can come to: a choice, or the flows that a look takes messages from, in order."""
        match kind:
            case "choose":
                return list(what)
            case "receive" | "try":
                first = [((what, flow),) for flow in self.coming(name, what)]
                return first + [()] * (kind == "try")
            case "poll" | "glance":
                views = [()]
                for socket in what:
                    views += [view + ((socket, flow),) for view in views for flow in self.coming(name, socket)]
                return views if kind == "glance" else views[1:]
            case "read" | "taste":
                counts = [(flow, n) for flow, most in self.coming(name, what).items() for n in range(1, most + 1)]
                return [((what, flow),) * n for flow, n in counts] + [()] * (kind == "taste")
        raise ValueError(kind)

    def step(self, name, choice):
        kind, _ = self.next[name]
        if kind == "choose":
            self.seen[name].append(choice)
            return self.advance(name, choice)
        taken = [(flow, *self.flows[(name, socket)][flow].pop(0)) for socket, flow in choice]
        self.seen[name].append(tuple(identity for _, identity, _ in taken))
        contents = [(flow, content) for flow, _, content in taken]
        self.advance(name, contents[0] if kind == "receive" else contents)

    def ended(self):
        return all(operation is None or name in SERVERS for name, operation in self.next.items())

    def identity(self):
        return tuple((name, tuple(seen)) for name, seen in self.seen.items())


SERVERS = {"cache", "database", "backend1", "backend2"}
