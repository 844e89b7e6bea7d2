package io.github.zklock.annotation;

/** A superclass whose annotated method is package-private, so that subclasses in other packages cannot override it. */
public class LockedInItsPackage {

    @DistributedLock("/orders")
    void work() {}

    @OnlyLeader("/orders")
    void lead() {}
}
