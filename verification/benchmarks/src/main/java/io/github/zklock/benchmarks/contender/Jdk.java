package io.github.zklock.benchmarks.contender;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The JDK's own lock, which other processes know nothing of: what threads that wait cost in any case. */
final class Jdk implements Contender {

    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    @Override
    public Claim exclusive(String name) {
        return new JdkClaim(lock(name));
    }

    @Override
    public void close() {
        locks.clear();
    }

    private ReentrantLock lock(String name) {
        return locks.computeIfAbsent(name, absent -> new ReentrantLock());
    }
}
