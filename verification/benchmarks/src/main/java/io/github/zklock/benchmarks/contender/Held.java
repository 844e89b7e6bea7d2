package io.github.zklock.benchmarks.contender;

/** A lock that a thread has, and gives back. */
@FunctionalInterface
public interface Held extends AutoCloseable {}
