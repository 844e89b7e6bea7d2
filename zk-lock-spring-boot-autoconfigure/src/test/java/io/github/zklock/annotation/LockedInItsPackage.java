package io.github.zklock.annotation;

/** A superclass whose annotated method is not for subclasses elsewhere. */
public class LockedInItsPackage {

    @DistributedLock("/orders")
    void work() {}
}
