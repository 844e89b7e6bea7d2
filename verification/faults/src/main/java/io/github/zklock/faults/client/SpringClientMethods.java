package io.github.zklock.faults.client;

import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.faults.client.Engine.Work;
import io.github.zklock.faults.timeline.LockSpec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The annotated methods of the application. Each returns true after the work; the trying ones return false if the lock
 * is held. The lock fills in the handle.
 */
class SpringClientMethods {

    /** The property with the wait time of all methods of a bean. */
    static final String WAIT_TIME = "faults.wait-time";

    private static final String NAME = "#{#spec.lock()}";
    private static final String WAIT = "${" + WAIT_TIME + "}";

    private final SpringClient.Listeners listeners;
    private final SpringClient.Counter counter;

    SpringClientMethods(SpringClient.Listeners listeners, SpringClient.Counter counter) {
        this.listeners = listeners;
        this.counter = counter;
    }

    @DistributedLock(name = NAME, waitTime = WAIT, onBusy = OnBusy.THROW)
    public boolean exclusive(LockSpec spec, Work work, @Nullable LockHandle handle) throws InterruptedException {
        return run(spec, work, handle);
    }

    @DistributedLock(name = NAME, waitTime = WAIT, onBusy = OnBusy.SKIP)
    public boolean tryExclusive(LockSpec spec, Work work, @Nullable LockHandle handle) throws InterruptedException {
        return run(spec, work, handle);
    }

    @DistributedLock(name = NAME, waitTime = WAIT, onBusy = OnBusy.THROW, kind = LockKind.READ)
    public boolean read(LockSpec spec, Work work, @Nullable LockHandle handle) throws InterruptedException {
        return run(spec, work, handle);
    }

    @DistributedLock(name = NAME, waitTime = WAIT, onBusy = OnBusy.SKIP, kind = LockKind.READ)
    public boolean tryRead(LockSpec spec, Work work, @Nullable LockHandle handle) throws InterruptedException {
        return run(spec, work, handle);
    }

    @DistributedLock(name = NAME, waitTime = WAIT, onBusy = OnBusy.THROW, kind = LockKind.WRITE)
    public boolean write(LockSpec spec, Work work, @Nullable LockHandle handle) throws InterruptedException {
        return run(spec, work, handle);
    }

    @DistributedLock(name = NAME, waitTime = WAIT, onBusy = OnBusy.SKIP, kind = LockKind.WRITE)
    public boolean tryWrite(LockSpec spec, Work work, @Nullable LockHandle handle) throws InterruptedException {
        return run(spec, work, handle);
    }

    @DistributedLock(name = NAME, waitTime = WAIT, onBusy = OnBusy.THROW, permits = 3)
    public boolean oneOfThree(LockSpec spec, Work work, @Nullable LockHandle handle) throws InterruptedException {
        return run(spec, work, handle);
    }

    @DistributedLock(name = NAME, waitTime = WAIT, onBusy = OnBusy.SKIP, permits = 3)
    public boolean tryOneOfThree(LockSpec spec, Work work, @Nullable LockHandle handle) throws InterruptedException {
        return run(spec, work, handle);
    }

    @DistributedLock(name = NAME, waitTime = WAIT, onBusy = OnBusy.THROW, permits = 4)
    public boolean oneOfFour(LockSpec spec, Work work, @Nullable LockHandle handle) throws InterruptedException {
        return run(spec, work, handle);
    }

    @DistributedLock(name = NAME, waitTime = WAIT, onBusy = OnBusy.SKIP, permits = 4)
    public boolean tryOneOfFour(LockSpec spec, Work work, @Nullable LockHandle handle) throws InterruptedException {
        return run(spec, work, handle);
    }

    private boolean run(LockSpec spec, Work work, @Nullable LockHandle handle) {
        LockHandle held = Objects.requireNonNull(handle, "the lock did not fill in its handle");
        // before the work, so that the harness registers its listener second
        held.onLost(listeners::notified);
        work.under(new HeldHandle(held), () -> countUnderTheLock(spec));
        return true;
    }

    private void countUnderTheLock(LockSpec spec) {
        if (spec.lock().startsWith(LockSpec.USUAL_LOCK)) {
            counter.increment(spec.lock());
        }
    }
}
