package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog.TxnIterator;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.TxnHeader;

/** What a server has written down so far, whether the others know of it or not. */
public final class TransactionLog {

    private final Path logs;

    TransactionLog(Path logs) {
        this.logs = logs;
    }

    /**
     * How many nodes that end with it, as seats do, a session made. Of one node there are two records where the first was
     * never agreed upon: the client asked again, and a server had written both down.
     */
    public long seatsOf(String session) {
        long id = Long.parseUnsignedLong(session, 16);
        Set<String> seats = new HashSet<>();
        replay((header, transaction) -> {
            if (header.getClientId() == id && transaction instanceof CreateTxn create && create.getEphemeral()) {
                seats.add(create.getPath());
            }
        });
        return seats.size();
    }

    /** How many folders were collected as nobody used them. */
    public long deletedContainers() {
        AtomicLong deletedContainers = new AtomicLong();
        replay((header, transaction) -> {
            if (header.getType() == OpCode.deleteContainer) {
                deletedContainers.incrementAndGet();
            }
        });
        return deletedContainers.get();
    }

    long last() {
        return new FileTxnLog(logs.toFile()).getLastLoggedZxid();
    }

    private void replay(BiConsumer<TxnHeader, Record> reader) {
        try (TxnIterator transactions = new FileTxnLog(logs.toFile()).read(0)) {
            if (transactions.getHeader() == null) {
                return;
            }
            do {
                reader.accept(transactions.getHeader(), transactions.getTxn());
            } while (transactions.next());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
