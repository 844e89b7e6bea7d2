package io.github.zklock.faults.client;

import io.github.zklock.LockRegistry;
import io.github.zklock.faults.timeline.Disruption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** An engine that can be closed while it is in use, and replaced by another one. */
final class ReopenableEngine implements Engine {

    private final Supplier<Engine> maker;

    private volatile Engine current;

    ReopenableEngine(Supplier<Engine> maker) {
        this.maker = maker;
        this.current = maker.get();
    }

    /** Opens another engine. */
    void open() {
        current = maker.get();
    }

    @Override
    public CallResult call(LockCall call, Work work) throws InterruptedException {
        return current.call(call, work);
    }

    @Override
    public CallResult downgrade(String lock, Work writing, Work reading) throws InterruptedException {
        return current.downgrade(lock, writing, reading);
    }

    @Override
    public void lead(String name, CountDownLatch end, Term term) throws InterruptedException {
        current.lead(name, end, term);
    }

    @Override
    public CallResult job(String name, Duration window, Work work) throws InterruptedException {
        return current.job(name, window, work);
    }

    @Override
    public LockRegistry registry() {
        return current.registry();
    }

    @Override
    public String session() {
        return current.session();
    }

    @Override
    public void prepare(LockCall call) {
        current.prepare(call);
    }

    @Override
    public Executor executor() {
        return current.executor();
    }

    @Override
    public void change(Change change) {
        current.change(change);
    }

    @Override
    public void disrupt(Disruption disruption) throws Exception {
        current.disrupt(disruption);
    }

    @Override
    public void close() throws Exception {
        current.close();
    }
}
