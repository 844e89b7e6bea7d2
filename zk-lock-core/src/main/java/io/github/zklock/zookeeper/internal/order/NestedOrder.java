package io.github.zklock.zookeeper.internal.order;

import io.github.zklock.LockName;
import io.github.zklock.LockOrderException;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/**
 * The orders of nested requests that this process has seen: a graph whose edges lead from a held lock to the lock
 * that was requested under it. A request that would close a cycle is a contradiction. Thread-safe.
 */
public final class NestedOrder {

    /** A request of a thread that held another lock, with its stack. */
    private static final class Request extends Throwable {

        private static final long serialVersionUID = 1L;

        private Request(String held, String wanted) {
            super("thread '" + Words.nameOf(Thread.currentThread()) + "' held '" + held + "' and requested '" + wanted
                    + "'");
        }
    }

    private static final Logger LOG = EngineLog.of(NestedOrder.class);

    /** Further orders are not observed, so that they do not fill the memory. */
    private static final int MOST_ORDERS = 10_000;

    private static final ConcurrentMap<String, Request> NONE = new ConcurrentHashMap<>(1);

    private final boolean fails;

    /** Guards the addition of an order: of two that contradict each other, the second one finds the first. */
    private final ReentrantLock adding = new ReentrantLock();

    private final Graph betweenGroups = new Graph();
    private final Graph withinGroups = new Graph();

    /** @param fails whether a contradiction is thrown; otherwise it is logged */
    public NestedOrder(boolean fails) {
        this.fails = fails;
    }

    /**
     * Checks a request of the current thread.
     *
     * @throws LockOrderException if it contradicts an earlier one
     */
    public void check(LockName held, LockName wanted) {
        if (held.equals(wanted)) {
            return;
        }
        String outer = groupOf(held.value());
        String inner = groupOf(wanted.value());
        if (outer.equals(inner)) {
            // within a group, the names themselves have an order
            check(withinGroups, held.value(), wanted.value(), held, wanted);
        } else {
            check(betweenGroups, outer, inner, held, wanted);
        }
    }

    private void check(Graph graph, String outer, String inner, LockName held, LockName wanted) {
        if (graph.has(outer, inner)) {
            return;
        }
        List<Request> opposite;
        adding.lock();
        try {
            opposite = graph.path(inner, outer);
            if (opposite.isEmpty() || !fails) {
                if (!graph.add(outer, inner, new Request(held.value(), wanted.value()))) {
                    return;
                }
            }
        } finally {
            adding.unlock();
        }
        if (!opposite.isEmpty()) {
            LockOrderException contradiction = contradiction(opposite, held, wanted);
            if (fails) {
                throw contradiction;
            }
            LOG.warn("{}", contradiction.getMessage(), contradiction);
        }
    }

    /** Orders, each with the first request that had it. */
    private static final class Graph {

        private final ConcurrentMap<String, ConcurrentMap<String, Request>> requests = new ConcurrentHashMap<>();
        private final AtomicInteger size = new AtomicInteger();

        boolean has(String outer, String inner) {
            Map<String, Request> known = requests.get(outer);
            return known != null && known.containsKey(inner);
        }

        /** Returns whether the order is new and was added. */
        boolean add(String outer, String inner, Request request) {
            if (size.get() >= MOST_ORDERS
                    || requests.computeIfAbsent(outer, none -> new ConcurrentHashMap<>())
                                    .putIfAbsent(inner, request)
                            != null) {
                return false;
            }
            if (size.incrementAndGet() == MOST_ORDERS) {
                LOG.info("{} orders of nested locks are known; further ones are not observed", MOST_ORDERS);
            }
            return true;
        }

        /**
         * Returns the shortest chain of requests that leads from one lock to the other; empty if there is none. In a full
         * graph, only a chain of one request is found, because a search would take long.
         */
        List<Request> path(String from, String to) {
            if (size.get() >= MOST_ORDERS) {
                Request direct = requests.getOrDefault(from, NONE).get(to);
                return direct == null ? List.of() : List.of(direct);
            }
            Map<String, String> reachedFrom = new HashMap<>();
            Deque<String> next = new ArrayDeque<>(List.of(from));
            while (!next.isEmpty() && !reachedFrom.containsKey(to)) {
                String lock = next.remove();
                for (String inner : requests.getOrDefault(lock, NONE).keySet()) {
                    if (reachedFrom.putIfAbsent(inner, lock) == null) {
                        next.add(inner);
                    }
                }
            }
            List<Request> path = new ArrayList<>();
            String lock = reachedFrom.containsKey(to) ? to : from;
            while (!lock.equals(from)) {
                String outer = Objects.requireNonNull(reachedFrom.get(lock));
                path.add(Objects.requireNonNull(
                        requests.getOrDefault(outer, NONE).get(lock)));
                lock = outer;
            }
            Collections.reverse(path);
            return path;
        }
    }

    private static LockOrderException contradiction(List<Request> opposite, LockName held, LockName wanted) {
        String before = opposite.stream().map(Throwable::getMessage).collect(Collectors.joining(", "));
        return new LockOrderException(
                wanted,
                "Lock '" + wanted + "' is requested by thread '" + Words.nameOf(Thread.currentThread())
                        + "' while it holds '" + held + "', against the order before: " + before
                        + ". Such threads can wait for each other forever. Acquire the locks in the same order"
                        + " everywhere, or together by allOf",
                opposite.get(0));
    }

    /** Returns the name with each segment that contains a digit replaced. */
    static String groupOf(String name) {
        if (!mayHaveDigit(name)) {
            return name;
        }
        StringBuilder group = null;
        int start = 0;
        boolean digit = false;
        for (int i = 0; i <= name.length(); i++) {
            if (i < name.length() && name.charAt(i) != '/') {
                digit |= Character.isDigit(name.charAt(i));
                continue;
            }
            if (digit && group == null) {
                group = new StringBuilder(name.length()).append(name, 0, start);
            }
            if (group != null) {
                group.append(digit ? "*" : name.substring(start, i)).append(i < name.length() ? "/" : "");
            }
            start = i + 1;
            digit = false;
        }
        return group == null ? name : group.toString();
    }

    /** Returns true if there is a digit, or a character that may be one of another script. */
    private static boolean mayHaveDigit(String name) {
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            if (character >= '0' && (character <= '9' || character > '~')) {
                return true;
            }
        }
        return false;
    }
}
