package io.github.zklock.faults;

import io.github.zklock.faults.Event.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog.TxnIterator;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.DeleteTxn;
import org.apache.zookeeper.txn.TxnHeader;

/** Reads from a server's transaction log what seats were made below a path, and how they ended. */
final class ServerRecords {

    private record Seat(long number, long session) {}

    private final String source;
    private final String folder;
    private final Timeline timeline;
    // the two clocks at one instant
    private final long wallMillis = System.currentTimeMillis();
    private final long nanos = System.nanoTime();
    private final Map<String, Seat> seats = new HashMap<>();

    private ServerRecords(String source, String folder, Timeline timeline) {
        this.source = source;
        this.folder = folder;
        this.timeline = timeline;
    }

    /** Adds to the timeline what the server has written so far. */
    static void add(ServerProcess server, String folder, Timeline timeline) {
        try {
            new ServerRecords(server.name(), folder + "/", timeline).readAll(server.transactionLogs());
        } catch (IOException e) {
            throw new AssertionError("Cannot read the transactions of " + server.name(), e);
        }
    }

    private void readAll(Path logs) throws IOException {
        try (TxnIterator transactions = new FileTxnLog(logs.toFile()).read(0)) {
            if (transactions.getHeader() == null) {
                return;
            }
            do {
                note(transactions.getHeader(), transactions.getTxn());
            } while (transactions.next());
        }
    }

    private void note(TxnHeader header, Record transaction) {
        if (transaction instanceof CreateTxn create
                && create.getEphemeral()
                && create.getPath().startsWith(folder)) {
            Seat seat = new Seat(header.getZxid(), header.getClientId());
            seats.put(create.getPath(), seat);
            add(header, Kind.SEAT_MADE, "seat", seat.number(), "session", Long.toHexString(seat.session()));
        } else if (transaction instanceof DeleteTxn delete && seats.containsKey(delete.getPath())) {
            Seat seat = seats.remove(delete.getPath());
            ended(header, seat, seat.session() == header.getClientId() ? SeatEnd.RETURNED : SeatEnd.DELETED);
        } else if (header.getType() == OpCode.closeSession) {
            // clients number their requests from 1, and the leader's own is 0
            SeatEnd how = header.getCxid() == 0 ? SeatEnd.EXPIRED : SeatEnd.CLOSED;
            seats.values().stream()
                    .filter(seat -> seat.session() == header.getClientId())
                    .forEach(seat -> ended(header, seat, how));
            seats.values().removeIf(seat -> seat.session() == header.getClientId());
        }
    }

    private void ended(TxnHeader header, Seat seat, SeatEnd how) {
        add(header, Kind.SEAT_ENDED, "seat", seat.number(), "session", Long.toHexString(seat.session()), "how", how);
    }

    private void add(TxnHeader header, Kind kind, Object... keysAndValues) {
        long at = nanos - (wallMillis - header.getTime()) * 1_000_000L;
        timeline.add(Event.of(source, at, kind, keysAndValues));
    }
}
