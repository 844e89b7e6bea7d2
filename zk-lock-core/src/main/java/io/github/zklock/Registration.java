package io.github.zklock;

/** A listener's or action's place in a list; closing it takes it out again. */
@FunctionalInterface
public interface Registration extends AutoCloseable {

    /** Takes the listener or action out. Does nothing when it is out already, or has run. */
    @Override
    void close();
}
