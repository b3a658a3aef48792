"""Worlds of systems with time: each world is run by itself, round by round, by the rules of docs/orders.md.

A node is a generator of operations:

| operation | gives |
|---|---|
| ("send", own socket, (node, socket), content) | |
| ("receive", socket) | the sender, which is a node and its socket, and the content |
| ("poll", sockets, milliseconds or None) | the sockets at which something is; none if time is up |
| ("sleep", milliseconds) | |
| ("now",) | milliseconds |
"""

LONGEST_HOLD = 10_000
MOST_MISSES = 2
ALL = 1 << 30


class Redundant(Exception):
    """Nothing has come before what is held."""


class Violation(Exception):
    """A program has found that something is wrong."""


class Message:
    def __init__(self, flow, identity, content):
        self.flow, self.identity, self.content = flow, identity, content
        self.is_held, self.misses = False, 0


class Node:
    def __init__(self, name, body, start=0):
        self.name, self.body, self.start = name, body, start
        self.pending, self.queues = [], {}  # messages that have come, and those that were seen, by socket
        self.hold = None  # what ends it, and when it has lasted too long
        self.operation, self.deadline = None, None
        self.has_begun, self.is_looking, self.is_done = False, False, False
        self.sent, self.vain_looks, self.history = 0, 0, []

    def ready(self, sockets):
        return [socket for socket in sockets if self.queues.get(socket)]

    def sockets(self):
        return self.operation[1] if self.operation[0] == "poll" else (self.operation[1],)

    def wakes_at(self):
        if self.is_done:
            return None
        if not self.has_begun:
            return self.start
        times = [self.deadline] if self.deadline is not None else []
        if self.hold and self.hold[0] == "message":
            times.append(self.hold[1])
        return min(times, default=None)

    def views(self, may_miss):
        """The positions of messages that a look shows, in all ways; that of the fixed order comes first."""
        views, flows, heads = [()], set(), []
        for at, message in enumerate(self.pending):
            if message.flow not in flows:
                heads.append(at)
            flows.add(message.flow)
        for socket in self.sockets():
            here = [at for at in heads if self.pending[at].flow[0] == socket and not self.queues.get(socket)]
            may_be_missed = all(self.pending[at].misses < MOST_MISSES for at in here)
            if here:
                views = [view + more for view in views for more in [*((at,) for at in here), *[()] * may_be_missed]]
        is_new = lambda view: any(not self.pending[at].is_held for at in view)
        return [view for view in views if (is_new(view) if view else may_miss and self.hold is None)]

    def release(self):
        self.hold = None
        for message in self.pending:
            message.is_held = False

    def see(self, view):
        self.release()
        for at in sorted(view):
            self.queues.setdefault(self.pending[at].flow[0], []).append(self.pending[at])
        self.pending = [message for at, message in enumerate(self.pending) if at not in view]
        self.vain_looks = 0

    def hold_back(self, views, end, now):
        flows = {self.pending[at].flow for view in views for at in view}
        for message in self.pending:
            message.is_held |= message.flow in flows
        self.hold = (end, now + LONGEST_HOLD)


class World:
    def __init__(self, nodes, choices, orders, late):
        self.nodes, self.choices, self.orders, self.late = nodes, choices, orders, late
        self.trail = []  # each choice that was made, and of how many
        self.now, self.outbox = 0, []

    def choose(self, count):
        choice = self.choices[len(self.trail)] if len(self.trail) < len(self.choices) else 0
        self.trail.append((choice, count))
        return choice

    def choose_order(self, alternatives):
        choice = self.choose(len(alternatives)) if self.orders > 0 and len(alternatives) > 1 else 0
        self.orders -= choice > 0
        return choice

    def run(self):
        """Runs the world to its end, and returns what its nodes have observed."""
        inbox = {}
        while True:
            if not inbox:
                wakes = [node.wakes_at() for node in self.nodes if node.wakes_at() is not None]
                if not wakes:
                    return tuple(tuple(node.history) for node in self.nodes)
                self.now = max(self.now, min(wakes))
            arrivals, inbox = inbox, {}
            for node in self.nodes:
                wake = node.wakes_at()
                if node.name not in arrivals and (wake is None or wake > self.now):
                    continue
                self.activate(node, arrivals.get(node.name, []))
            for receiver, message in self.outbox:
                inbox.setdefault(receiver, []).append(message)
            self.outbox = []

    def activate(self, node, arrivals):
        if node.is_done or (not node.has_begun and node.start > self.now):
            return
        if not node.has_begun:
            node.has_begun = True
            self.advance(node, None)
        node.pending += arrivals
        while not node.is_done and self.goes_on(node):
            pass

    def advance(self, node, value):
        """Runs a node until it may have to wait."""
        node.operation = node.deadline = None
        try:
            while True:
                operation = node.body.send(value)
                kind, value = operation[0], None
                if kind == "send":
                    _, socket, (receiver, to), content = operation
                    node.sent += 1
                    self.outbox.append((receiver, Message((to, node.name, socket), (node.name, node.sent), content)))
                elif kind == "now":
                    value = self.now
                elif kind == "receive" and node.ready(operation[1:2]):
                    value = self.taken(node, operation[1])
                else:
                    break
        except StopIteration:
            node.is_done = True
            return
        node.operation, node.is_looking = operation, True
        timeout = operation[1] if kind == "sleep" else operation[2] if kind == "poll" else None
        node.deadline = self.now + timeout if timeout else None

    def taken(self, node, socket):
        message = node.queues[socket].pop(0)
        node.history.append(message.identity)
        return message.flow[1:], message.content

    def go_on(self, node):
        """A node goes on with what it has seen."""
        if node.operation[0] == "receive":
            return self.advance(node, self.taken(node, node.operation[1]))
        ready = node.ready(node.sockets())
        node.history.append(tuple(ready) or self.now)
        self.advance(node, ready)

    def goes_on(self, node):
        """Lets a node go on if it can; says whether it did."""
        is_over = node.deadline is not None and node.deadline <= self.now
        if node.operation[0] == "sleep":
            if is_over:
                self.advance(node, None)
            return is_over
        if node.ready(node.sockets()):
            self.go_on(node)
            return True
        waits = node.operation[0] == "receive" or node.operation[2] != 0
        if not waits and node.is_looking:
            return self.look(node)
        views = node.views(False)
        if views:
            return self.wake(node, views)
        if node.hold and node.hold[0] == "message":
            if is_over or self.now >= node.hold[1]:
                raise Redundant
            return False
        if is_over:
            node.release()
            self.go_on(node)
        return is_over

    def look(self, node):
        """A look that does not wait."""
        node.is_looking = False
        views = node.views(True)
        may_be_late = node.hold is None and node.vain_looks <= MOST_MISSES
        alternatives = views + ["held"] * may_be_late
        seen = alternatives[self.choose_order(alternatives)]
        if seen == "held":
            node.hold_back(views, "message", self.now)
            return False
        if seen:
            node.see(seen)
        else:
            node.vain_looks += 1
            for at in {at for view in views for at in view}:
                node.pending[at].misses += 1
        self.go_on(node)
        return True

    def wake(self, node, views):
        """The end of a wait for messages, or not yet."""
        if node.hold and node.hold[0] == "deadline":
            raise Redundant
        choice = self.choose_order([*views, "held"])
        if choice == len(views):
            node.hold_back(views, "message", self.now)
            return False
        if choice == 0 and node.deadline is not None and self.late > 0 and self.choose(2):
            self.late -= 1
            node.hold_back(views, "deadline", self.now)
            return False
        node.see(views[choice])
        self.go_on(node)
        return True


def count_worlds(system, orders, late):
    """The numbers of worlds that end, and of worlds that do not because something is wrong."""
    todo, ends, wrong = [()], set(), 0
    while todo:
        choices = todo.pop()
        world = World(system(), choices, orders, late)
        try:
            end = world.run()
            assert end not in ends, "a world is followed twice"
            ends.add(end)
        except Redundant:
            pass
        except Violation:
            wrong += 1
        for at, (_, count) in list(enumerate(world.trail))[len(choices) :]:
            before = tuple(choice for choice, _ in world.trail[:at])
            todo += [before + (choice,) for choice in range(1, count)]
    return len(ends), wrong


def retry(is_careful):
    def server():
        while True:
            peer, (question, _) = yield ("receive", "port")
            yield ("send", "port", peer, (question, question * 10))

    def client():
        for question in (1, 2):
            server, is_known = 1, False
            yield ("send", "own", (f"server{server}", "port"), (question, 0))
            while not is_known:
                if not (yield ("poll", ("own",), 1000 if server < 2 else None)):
                    server += 1
                    yield ("send", "own", (f"server{server}", "port"), (question, 0))
                    continue
                _, (of, answer) = yield ("receive", "own")
                if is_careful and of != question:
                    continue
                if answer != question * 10:
                    raise Violation
                is_known = True
            yield ("sleep", 200)

    return [Node("server1", server()), Node("server2", server()), Node("client", client(), 1)]


def lease(is_careful):
    length, work, pause, patience, attempts = 2000, 1000, 1000, 2500, 4
    holders = set()

    def server():
        holder, expires = None, 0
        while True:
            peer, (kind, attempt) = yield ("receive", "port")
            if kind == "release":
                holder = None if holder == peer else holder
                continue
            now = yield ("now",)
            is_granted = holder in (None, peer) or now >= expires
            if is_granted:
                holder, expires = peer, now + length
            yield ("send", "port", peer, (is_granted, attempt))

    def is_granted(asked):
        while (yield ("poll", ("own",), patience)):
            _, (is_free, attempt) = yield ("receive", "own")
            if not is_free:
                yield ("sleep", pause)
                return False
            if not is_careful or (yield ("now",)) + work < asked[attempt] + length:
                return True
        return False

    def client(me):
        asked = []
        for attempt in range(attempts):
            asked.append((yield ("now",)))
            yield ("send", "own", ("server", "port"), ("request", attempt))
            if not (yield from is_granted(asked)):
                continue
            holders.add(me)
            if len(holders) > 1:
                raise Violation
            yield ("sleep", work)
            holders.remove(me)
            yield ("send", "own", ("server", "port"), ("release", attempt))
            return

    return [Node("server", server()), Node("client1", client(1), 1), Node("client2", client(2), 1)]


def vote(is_careful):
    def node(me):
        term, voted_for, votes, stands = 0, 0, 0, me < 3
        others = [other for other in (1, 2, 3) if other != me]

        def tell(peer, kind):
            return ("send", "port", (f"node{peer}", "port"), (kind, term, me))

        deadline = (yield ("now",)) + 1000 if stands else None
        while True:
            timeout = None if deadline is None else max(deadline - (yield ("now",)), 0)
            if not (yield ("poll", ("port",), timeout)):
                if term == 3:
                    return
                term, voted_for, votes = term + 1, me, 1
                for other in others:
                    yield tell(other, "ask")
                deadline += 1000
                continue
            _, (kind, of_term, peer) = yield ("receive", "port")
            if of_term > term:
                term, voted_for, votes = of_term, 0, 0
            if kind == "ask" and of_term == term and voted_for in (0, peer):
                voted_for = peer
                yield tell(peer, "vote")
            elif kind == "vote" and voted_for == me and (of_term == term or not is_careful):
                votes += 1
                if votes * 2 <= 3:
                    continue
                for other in others:
                    yield tell(other, "lead")
                return
            elif kind == "lead" and of_term == term and stands:
                return

    return [Node(f"node{me}", node(me)) for me in (1, 2, 3)]


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
            for side in (yield ("poll", tuple(sides), None)):
                _, content = yield ("receive", side)
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
            raise Violation
        yield ("send", "own", ("proxy", me), "end")

    backends = [Node(f"backend{i}", backend(f"backend{i}")) for i in (1, 2)]
    return backends + [Node("proxy", proxy_node(), 1)] + [Node(f"client{i}", client(f"client{i}", i + 1), 2) for i in (1, 2)]


# By the scenario that says how many worlds end: the system, and its budgets of orders and of late messages.
TIMED = {
    "proxy_careful_any_order": (lambda: proxy(True), ALL, 0),
    "proxy_careless_any_order": (lambda: proxy(False), 1, 0),
    "lease_careful_late": (lambda: lease(True), ALL, 2),
    "lease_careless_late": (lambda: lease(False), 0, 1),
    "retry_careful_late": (lambda: retry(True), ALL, 2),
    "retry_careless_late": (lambda: retry(False), 1, 1),
    "vote_careful_late": (lambda: vote(True), ALL, 1),
    "vote_careless_late": (lambda: vote(False), 2, 1),
}
