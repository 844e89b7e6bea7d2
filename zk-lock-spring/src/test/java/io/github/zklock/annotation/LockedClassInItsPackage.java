package io.github.zklock.annotation;

import io.github.zklock.LockContext;

/** An annotated superclass with a package-private method, which subclasses in other packages cannot override. */
@DistributedLock("/orders")
public class LockedClassInItsPackage {

    boolean runsUnlocked() {
        return LockContext.current().isEmpty();
    }

    public boolean other() {
        return LockContext.current().isEmpty();
    }

    /** Calls the package-private method, as another class of the package does. */
    public static boolean callIt(LockedClassInItsPackage bean) {
        return bean.runsUnlocked();
    }
}
