package io.github.zklock.faults.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.BiPredicate;
import org.apache.jute.Record;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog.TxnIterator;
import org.apache.zookeeper.txn.CreateTxn;
import org.apache.zookeeper.txn.TxnHeader;

/** What a server has written down so far, whether the others know of it or not. */
public final class Journal {

    private final Path logs;

    Journal(Path logs) {
        this.logs = logs;
    }

    /** How many nodes that end with it, as seats do, a session made. */
    public long seatsOf(String session) {
        long id = Long.parseUnsignedLong(session, 16);
        return count((header, transaction) ->
                header.getClientId() == id && transaction instanceof CreateTxn create && create.getEphemeral());
    }

    /** How many folders were collected as nobody used them. */
    public long collections() {
        return count((header, transaction) -> header.getType() == OpCode.deleteContainer);
    }

    long last() {
        return new FileTxnLog(logs.toFile()).getLastLoggedZxid();
    }

    private long count(BiPredicate<TxnHeader, Record> wanted) {
        try (TxnIterator transactions = new FileTxnLog(logs.toFile()).read(0)) {
            if (transactions.getHeader() == null) {
                return 0;
            }
            long count = 0;
            do {
                if (wanted.test(transactions.getHeader(), transactions.getTxn())) {
                    count++;
                }
            } while (transactions.next());
            return count;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
