package io.github.zklock.zookeeper;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A session on which one request, given by its number, ends in an Error instead of being sent. */
final class FailingWire implements Wire, WireSession {

    private final MemoryWire wire;
    private final int failing;
    private int requests;

    FailingWire(MemoryWire wire, int failing) {
        this.wire = wire;
        this.failing = failing;
    }

    /** Whether so many requests were made that one failed. */
    boolean hasFailed() {
        return requests >= failing;
    }

    private WireSession next() {
        if (++requests == failing) {
            throw new InternalError("planted at request " + failing);
        }
        return wire;
    }

    @Override
    public void pin(Consumer<Pin> answer) {
        wire.pin(pin -> answer.accept(new Pin.Pinned(this)));
    }

    @Override
    public void onHint(Runnable hint) {
        wire.onHint(hint);
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
    public boolean isFresh() {
        return wire.isFresh();
    }

    @Override
    public Liveness liveness() {
        return wire.liveness();
    }

    @Override
    public void create(String path, byte[] data, Reply<Node> reply) {
        next().create(path, data, reply);
    }

    @Override
    public void makeFolder(String path, Reply<Void> reply) {
        next().makeFolder(path, reply);
    }

    @Override
    public void list(String folder, Reply<List<String>> reply) {
        next().list(folder, reply);
    }

    @Override
    public void listWatching(String folder, Watch watch, Reply<List<String>> reply) {
        next().listWatching(folder, watch, reply);
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        next().read(path, reply);
    }

    @Override
    public void readWatching(String path, Watch watch, Reply<Node> reply) {
        next().readWatching(path, watch, reply);
    }

    @Override
    public void unwatch(String path, Watch watch) {
        next().unwatch(path, watch);
    }

    @Override
    public void delete(String path, Reply<Void> reply) {
        next().delete(path, reply);
    }

    @Override
    public void write(String path, byte[] data, Reply<Void> reply) {
        next().write(path, data, reply);
    }

    @Override
    public void replace(String path, String replacement, byte[] data, Reply<Void> reply) {
        next().replace(path, replacement, data, reply);
    }

    @Override
    public void deleteAll(List<String> paths, List<String> others, Reply<Integer> reply) {
        next().deleteAll(paths, others, reply);
    }

    @Override
    public void ephemerals(String folder, Reply<List<String>> reply) {
        next().ephemerals(folder, reply);
    }

    @Override
    public void check(List<String> paths, Reply<Integer> reply) {
        next().check(paths, reply);
    }

    @Override
    public void sync(String path, Reply<Void> reply) {
        next().sync(path, reply);
    }
}
