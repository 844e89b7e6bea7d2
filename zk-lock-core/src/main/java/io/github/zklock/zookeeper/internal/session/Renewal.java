package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The renewal of the proof that a session is alive and that its seats exist: committed transactions that check all
 * seats, then a sync. One round at a time. Owned by the loop.
 */
public final class Renewal {

    private static final Logger LOG = EngineLog.of(Renewal.class);

    /*
     * One missing node fails a whole transaction and hides the other results. A transaction that exceeds the server's
     * buffer makes the server close the connection, again at each attempt. Therefore the seats are checked in chunks,
     * and after a failure the rest of the chunk is sent again. (L22)
     */
    private static final int CHUNK_BYTES = 64 * 1024;

    private static final int BYTES_PER_CHECK = 32;

    private final PinnedSession session;
    private final String basePath;
    private int pendingChunks;

    public Renewal(PinnedSession session, String basePath) {
        this.session = session;
        this.basePath = basePath;
    }

    /** Starts a round, unless one is under way. Returns false if there is no seat to check. */
    public boolean run() {
        if (pendingChunks > 0) {
            return true;
        }
        List<List<SessionNode>> chunks = chunks();
        pendingChunks = chunks.size();
        chunks.forEach(this::check);
        return !chunks.isEmpty();
    }

    private List<List<SessionNode>> chunks() {
        List<List<SessionNode>> chunks = new ArrayList<>();
        List<SessionNode> chunk = new ArrayList<>();
        int bytes = 0;
        for (SessionNode seat : session.nodes()) {
            String path = seat.path();
            if (path != null) {
                bytes += path.length() + BYTES_PER_CHECK;
                if (bytes > CHUNK_BYTES && !chunk.isEmpty()) {
                    chunks.add(chunk);
                    chunk = new ArrayList<>();
                    bytes = path.length() + BYTES_PER_CHECK;
                }
                chunk.add(seat);
            }
        }
        if (!chunk.isEmpty()) {
            chunks.add(chunk);
        }
        return chunks;
    }

    private void check(List<SessionNode> seats) {
        List<SessionNode> present = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        for (SessionNode seat : seats) {
            String path = seat.path();
            if (path != null) {
                present.add(seat);
                paths.add(path);
            }
        }
        if (paths.isEmpty()) {
            chunkDone(false);
        } else {
            session.check(paths, (outcome, missing) -> checked(present, outcome, missing));
        }
    }

    private void checked(List<SessionNode> seats, Outcome outcome, @Nullable Integer missing) {
        if (missing != null) {
            List<SessionNode> rest = new ArrayList<>(seats);
            SessionNode failed = rest.remove((int) missing);
            try {
                settle(failed, outcome);
            } finally {
                check(rest);
            }
        } else {
            chunkDone(outcome == Outcome.OK);
        }
    }

    private static void settle(SessionNode failed, Outcome outcome) {
        if (outcome == Outcome.NO_NODE) {
            failed.vanished();
        } else {
            LOG.warn(
                    "Seat {} cannot be checked ({}): grant this client the right to read its own nodes",
                    failed.id(),
                    outcome);
        }
    }

    private void chunkDone(boolean committed) {
        pendingChunks--;
        if (committed && pendingChunks == 0) {
            session.sync(basePath, (outcome, none) -> {});
        }
    }
}
