package io.github.zklock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A lock that is granted at once, unless the test has something else happen. */
public final class FakeLock implements ClusterLock {

    private final LockName name;
    private final List<String> log;
    private Consumer<FakeHandle> onGrant = handle -> {};
    private Supplier<CompletableFuture<LockHandle>> futures = CompletableFuture::new;

    public FakeLock(String name, List<String> log) {
        this.name = LockName.of(name);
        this.log = log;
    }

    /** What happens when it is asked for, before the answer: to the handle, or instead of it. */
    public FakeLock onGrant(Consumer<FakeHandle> action) {
        onGrant = action;
        return this;
    }

    /** What creates the futures of its answers. */
    public FakeLock futures(Supplier<CompletableFuture<LockHandle>> supplier) {
        futures = supplier;
        return this;
    }

    @Override
    public LockName name() {
        return name;
    }

    @Override
    public LockKind kind() {
        return LockKind.EXCLUSIVE;
    }

    @Override
    public LockHandle acquire() {
        return grant("for ever");
    }

    @Override
    public LockHandle acquire(Duration maxWait) {
        return grant(maxWait.toString());
    }

    @Override
    public Optional<LockHandle> tryAcquire() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<LockHandle> tryAcquire(Duration maxWait) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync() {
        return granted("for ever");
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(Duration maxWait) {
        return granted(maxWait.toString());
    }

    @Override
    public void lock() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void lockInterruptibly() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean tryLock() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void unlock() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException();
    }

    private CompletableFuture<LockHandle> granted(String wait) {
        CompletableFuture<LockHandle> answer = futures.get();
        answer.complete(grant(wait));
        return answer;
    }

    private LockHandle grant(String wait) {
        log.add("ask " + name + " " + wait);
        FakeHandle handle = new FakeHandle(name, log);
        onGrant.accept(handle);
        return handle;
    }
}
