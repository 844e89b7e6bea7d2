package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Records;
import io.github.zklock.zookeeper.internal.transport.Wire;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A session on which one request, given by its number over all engines, ends in an Error instead of being sent. */
final class FailingWire implements Wire, WireSession {

    private final MemoryWire wire;
    private final EngineRun run;
    private final int failing;
    private final AtomicInteger requests;
    private final IdentityHashMap<Watch, Watch> watches = new IdentityHashMap<>();
    private final IdentityHashMap<TreeWatch, TreeWatch> treeWatches = new IdentityHashMap<>();

    /** @param requests counts them */
    FailingWire(MemoryWire wire, EngineRun run, int failing, AtomicInteger requests) {
        this.wire = wire;
        this.run = run;
        this.failing = failing;
        this.requests = requests;
    }

    private WireSession next() {
        if (requests.incrementAndGet() == failing) {
            throw new InternalError("planted at request " + failing);
        }
        return wire;
    }

    private Watch ofRun(Watch watch) {
        return watches.computeIfAbsent(watch, absent -> event -> run.execute(() -> watch.happened(event)));
    }

    private <T> Reply<T> ofRun(Reply<T> reply) {
        return (outcome, value) -> run.execute(() -> reply.answered(outcome, value));
    }

    @Override
    public void pin(Consumer<Pin> answer) {
        wire.pin(pin -> run.execute(() -> answer.accept(new Pin.Pinned(this))));
    }

    @Override
    public void onHint(Runnable hint) {
        wire.onHint(hint);
    }

    @Override
    public void leave() {
        wire.leave();
    }

    @Override
    public void close() {
        wire.close();
    }

    @Override
    public long id() {
        return wire.id();
    }

    @Override
    public long timeoutNanos() {
        return wire.timeoutNanos();
    }

    @Override
    public long latestTimeoutNanos() {
        return wire.latestTimeoutNanos();
    }

    @Override
    public long currentId() {
        return wire.currentId();
    }

    @Override
    public long connectionNumber() {
        return wire.connectionNumber();
    }

    @Override
    public OptionalLong attemptedAfterNanos() {
        return wire.attemptedAfterNanos();
    }

    @Override
    public OptionalLong wallLeadAtAttemptNanos() {
        return wire.wallLeadAtAttemptNanos();
    }

    @Override
    public OptionalLong shortenedAfterNanos() {
        return wire.shortenedAfterNanos();
    }

    @Override
    public boolean isFresh() {
        return wire.isFresh();
    }

    @Override
    public Liveness liveness() {
        return wire.liveness();
    }

    @Override
    public void transact(List<Change> changes, Reply<Transacted> reply) {
        next().transact(changes, ofRun(reply));
    }

    @Override
    public void listAll(List<String> folders, Reply<List<Listing>> reply) {
        next().listAll(folders, ofRun(reply));
    }

    @Override
    public void exist(List<String> paths, Reply<List<Boolean>> reply) {
        next().exist(paths, ofRun(reply));
    }

    @Override
    public void makeFolder(String path, Reply<Void> reply) {
        next().makeFolder(path, ofRun(reply));
    }

    @Override
    public void list(String folder, Reply<List<String>> reply) {
        next().list(folder, ofRun(reply));
    }

    @Override
    public void watchTree(String folder, TreeWatch watch, Reply<Void> reply) {
        next().watchTree(folder, treeOfRun(watch), ofRun(reply));
    }

    @Override
    public void unwatchTree(String folder, TreeWatch watch) {
        next().unwatchTree(folder, treeOfRun(watch));
    }

    private TreeWatch treeOfRun(TreeWatch watch) {
        return treeWatches.computeIfAbsent(
                watch, absent -> (event, path) -> run.execute(() -> watch.happened(event, path)));
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        next().read(path, ofRun(reply));
    }

    @Override
    public void readWatching(String path, Watch watch, Reply<Node> reply) {
        next().readWatching(path, ofRun(watch), ofRun(reply));
    }

    @Override
    public void unwatch(String path, Watch watch) {
        next().unwatch(path, ofRun(watch));
    }

    @Override
    public void ephemerals(String folder, Reply<List<String>> reply) {
        next().ephemerals(folder, ofRun(reply));
    }

    @Override
    public Records records() {
        throw new UnsupportedOperationException("No jobs here");
    }

    @Override
    public void sync(String path, Reply<Void> reply) {
        next().sync(path, ofRun(reply));
    }
}
