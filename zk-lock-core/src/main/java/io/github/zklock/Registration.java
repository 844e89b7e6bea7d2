package io.github.zklock;

/** The registration of a listener or of an action. */
@FunctionalInterface
public interface Registration extends AutoCloseable {

    /** Removes the listener or the action. Does nothing if it is removed already or has run. */
    @Override
    void close();
}
