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
import org.jspecify.annotations.Nullable;

/** The transaction log of one server, including transactions that were not committed. */
public final class TransactionLog {

    private final Path logs;

    TransactionLog(Path logs) {
        this.logs = logs;
    }

    /**
     * Returns the number of ephemeral nodes, such as seats, that a session has created. A node that a session created
     * twice, because its first create was not committed, counts once.
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

    /** Returns the number of unused folders that the server has deleted. */
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

    /** Passes all transactions to a reader; those that have a header only have no record. */
    public void replay(BiConsumer<TxnHeader, @Nullable Record> reader) {
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
