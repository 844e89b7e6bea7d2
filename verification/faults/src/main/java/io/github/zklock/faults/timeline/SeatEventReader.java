package io.github.zklock.faults.timeline;

import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.timeline.Event.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.commons.io.function.Uncheck;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.ByteBufferInputStream;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.DeleteTxn;
import org.apache.zookeeper.txn.MultiTxn;
import org.apache.zookeeper.txn.Txn;
import org.apache.zookeeper.txn.TxnHeader;
import org.jspecify.annotations.Nullable;

/** Reads from the servers' transaction logs which seats were created below a path, and how they ended. */
public final class SeatEventReader {

    /** @param what null for transactions that have a header only */
    private record Transaction(TxnHeader header, @Nullable Record what) {

        /**
         * Of rejected transactions only the rejection is compared: the servers may log their other parts differently.
         */
        boolean saysTheSameAs(Transaction other) {
            boolean bothRefused = isRefused(what) && isRefused(other.what);
            return header.equals(other.header) && (bothRefused || Objects.equals(what, other.what));
        }
    }

    private record Seat(long number, long session, String node) {}

    private static final long AT_ONCE_NANOS = 1_000_000L;

    private final String source;
    private final String folder;
    private final Timeline timeline;
    // both clocks at one instant
    private final long nanos;
    private final long wallMillis;
    private final Map<String, Seat> seats = new HashMap<>();

    private SeatEventReader(String source, String folder, Timeline timeline) {
        this.source = source;
        this.folder = folder;
        this.timeline = timeline;
        long before;
        long wall;
        do {
            before = System.nanoTime();
            wall = System.currentTimeMillis();
        } while (System.nanoTime() - before >= AT_ONCE_NANOS);
        this.nanos = before;
        this.wallMillis = wall;
    }

    /*
     * No single log is complete: a server that was away receives a snapshot instead of the transactions. A log may also
     * contain transactions that were never committed, such as the last proposals of a leader that had lost its
     * followers. A committed transaction is in the logs of a majority, which keep it.
     */

    /** Adds the events of all committed transactions to the timeline. */
    public static void add(Ensemble ensemble, String folder, Timeline timeline) {
        SortedMap<Long, Map<String, Transaction>> all = new TreeMap<>();
        for (ServerProcess server : ensemble.servers()) {
            server.transactionLog()
                    .replay((header, what) -> all.computeIfAbsent(header.getZxid(), zxid -> new LinkedHashMap<>())
                            .put(server.name(), new Transaction(header, what)));
        }
        int majority = ensemble.servers().size() / 2 + 1;
        SeatEventReader records = new SeatEventReader(ensemble.leader().name(), folder + "/", timeline);
        for (Map<String, Transaction> copies : all.values()) {
            records.compare(copies);
            Transaction one = copies.values().iterator().next();
            if (copies.size() >= majority) {
                records.note(one.header(), one.what());
            }
        }
    }

    private void compare(Map<String, Transaction> copies) {
        Transaction first = copies.values().iterator().next();
        copies.forEach((server, copy) -> {
            if (!copy.saysTheSameAs(first)) {
                long zxid = copy.header().getZxid();
                String keys = "zxid here on-" + server;
                timeline.add(Event.of(source, at(copy.header()), Kind.LOGS_DIFFER, keys, zxid, first, copy));
            }
        });
    }

    private void note(TxnHeader header, @Nullable Record transaction) {
        if (transaction instanceof CreateTxn create) {
            made(header, create);
        } else if (transaction instanceof DeleteTxn delete) {
            deleted(header, delete);
        } else if (transaction instanceof MultiTxn several && !isRefused(several)) {
            together(header, several);
        } else if (header.getType() == OpCode.closeSession) {
            // clients number their requests from 1; the leader's own requests have number 0
            SeatEnd how = header.getCxid() == 0 ? SeatEnd.EXPIRED : SeatEnd.CLOSED;
            Predicate<Seat> over = seat -> seat.session() == header.getClientId();
            seats.values().stream().filter(over).forEach(seat -> end(header, seat, how));
            seats.values().removeIf(over);
        }
    }

    private void made(TxnHeader header, CreateTxn create) {
        if (create.getEphemeral() && create.getPath().startsWith(folder)) {
            Seat seat = new Seat(header.getZxid(), header.getClientId(), create.getPath());
            seats.put(create.getPath(), seat);
            timeline.add(event(header, Kind.SEAT_MADE, seat));
        }
    }

    private void deleted(TxnHeader header, DeleteTxn delete) {
        Seat seat = seats.remove(delete.getPath());
        if (seat != null) {
            end(header, seat, seat.session() == header.getClientId() ? SeatEnd.RELEASED : SeatEnd.DELETED);
        }
    }

    private void end(TxnHeader header, Seat seat, SeatEnd how) {
        timeline.add(event(header, Kind.SEAT_ENDED, seat).with("how", how));
    }

    /** A downgrade deletes the writer's node and creates the reader's: the seat continues under another name. */
    private void together(TxnHeader header, MultiTxn several) {
        List<DeleteTxn> deletes = new ArrayList<>();
        List<CreateTxn> creates = new ArrayList<>();
        for (Txn one : several.getTxns()) {
            switch (one.getType()) {
                case OpCode.delete -> deletes.add(read(one, new DeleteTxn()));
                case OpCode.create, OpCode.create2 -> creates.add(read(one, new CreateTxn()));
                default -> {
                    // a check
                }
            }
        }
        for (CreateTxn create : creates) {
            Seat writer = deletes.stream()
                    .filter(delete -> idOf(delete.getPath()).equals(idOf(create.getPath())))
                    .map(delete -> seats.get(delete.getPath()))
                    .filter(seat -> seat != null && seat.session() == header.getClientId())
                    .findFirst()
                    .orElse(null);
            if (writer == null) {
                made(header, create);
            } else {
                seats.remove(writer.node());
                Seat reader = new Seat(writer.number(), writer.session(), create.getPath());
                seats.put(reader.node(), reader);
                timeline.add(event(header, Kind.SEAT_RENAMED, reader));
            }
        }
        deletes.forEach(delete -> deleted(header, delete));
    }

    /**
     * Returns what the names of a writer's node and of the reader's node after it have in common; for other nodes the
     * path.
     */
    private static String idOf(String path) {
        return path.replaceFirst("__(WRIT|READ)__\\d+$", "");
    }

    /** Returns whether a part of the transaction failed, and with it the whole. */
    private static boolean isRefused(@Nullable Record transaction) {
        return transaction instanceof MultiTxn several
                && several.getTxns().stream().anyMatch(one -> one.getType() == OpCode.error);
    }

    private static <T extends Record> T read(Txn one, T into) {
        Uncheck.run(() -> ByteBufferInputStream.byteBuffer2Record(ByteBuffer.wrap(one.getData()), into));
        return into;
    }

    private Event event(TxnHeader header, Kind kind, Seat seat) {
        String session = Long.toHexString(seat.session());
        return Event.of(source, at(header), kind)
                .with("seat session node zxid", seat.number(), session, seat.node(), header.getZxid());
    }

    /** Converts a time of the wall clock, which the servers' logs use, to the monotonic clock, which the clients use. */
    private long at(TxnHeader header) {
        return nanos - (wallMillis - header.getTime()) * 1_000_000L;
    }
}
