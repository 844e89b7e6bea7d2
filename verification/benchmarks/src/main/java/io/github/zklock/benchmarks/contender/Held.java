package io.github.zklock.benchmarks.contender;

/** A held lock; closing it releases the lock. */
@FunctionalInterface
public interface Held extends AutoCloseable {}
