package io.github.zklock.zookeeper.internal.transport;

import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** Records by one ZooKeeper handle. */
final class CuratorRecords implements Records {

    private static final byte[] NOTHING = new byte[0];
    private static final int ANY_VERSION = -1;

    private final ZooKeeper handle;
    private final UnaryOperator<String> fullPath;
    private final Function<String, List<ACL>> acls;
    private final EngineRun run;

    CuratorRecords(ZooKeeper handle, UnaryOperator<String> fullPath, Function<String, List<ACL>> acls, EngineRun run) {
        this.handle = handle;
        this.fullPath = fullPath;
        this.acls = acls;
        this.run = run;
    }

    @Override
    public void time(String folder, Reply<Long> reply) {
        handle.setData(
                fullPath.apply(folder),
                NOTHING,
                ANY_VERSION,
                (rc, asked, context, stat) -> answer(reply, rc, stat == null ? null : stat.getMtime()),
                null);
    }

    @Override
    public void read(String path, Reply<Entry> reply) {
        handle.getData(
                fullPath.apply(path),
                false,
                (rc, asked, context, data, stat) -> answer(reply, rc, entry(data, stat)),
                null);
    }

    @Override
    public void create(String path, byte[] data, Reply<Entry> reply) {
        create(path, data, CreateMode.PERSISTENT, reply);
    }

    @Override
    public void createTemporary(String path, byte[] data, Reply<Entry> reply) {
        create(path, data, CreateMode.EPHEMERAL, reply);
    }

    private void create(String path, byte[] data, CreateMode mode, Reply<Entry> reply) {
        String full = fullPath.apply(path);
        handle.create(
                full,
                data,
                acls.apply(full),
                mode,
                (rc, asked, context, name, stat) -> answer(reply, rc, entry(data, stat)),
                null);
    }

    @Override
    public void write(String path, byte[] data, int version, Reply<Entry> reply) {
        StatCallback written = (rc, asked, context, stat) -> answer(reply, rc, entry(data, stat));
        handle.setData(fullPath.apply(path), data, version, written, null);
    }

    @Override
    public void delete(String path, int version, Reply<Void> reply) {
        handle.delete(fullPath.apply(path), version, (rc, asked, context) -> answer(reply, rc, null), null);
    }

    private static @Nullable Entry entry(byte @Nullable [] data, @Nullable Stat stat) {
        return stat == null ? null : new Entry(data == null ? NOTHING : data, stat.getVersion(), stat.getMtime());
    }

    private <T> void answer(Reply<T> reply, int rc, @Nullable T value) {
        Outcome outcome = CuratorSession.outcomeOf(rc);
        run.execute(() -> reply.answered(outcome, outcome == Outcome.OK ? value : null));
    }
}
