package com.example.ordershop.statistics;

import io.github.zklock.FencingToken;
import io.github.zklock.annotation.DistributedLock;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Recomputes the statistics for each completed order in three steps: read the row, compute the new row, write it. Without a
 * lock, two instances can read the same row, and the second write overwrites the first one. The database does not prevent
 * this, because each step is a transaction of its own.
 */
@Service
public class StatisticsService {

    private final StatisticsRepository rows;

    StatisticsService(StatisticsRepository rows) {
        this.rows = rows;
    }

    /**
     * Adds a sale under a lock that one caller in the cluster holds at a time.
     *
     * <p>A process that is paused until its session expires loses the lock and still writes when it continues. So this method
     * claims the row with its fencing token before it reads the row, and the database rejects writes with an older token.
     *
     * @param token set by the lock; callers pass null
     * @return the token of the write
     * @throws StaleWriteException if a later holder of the lock has claimed the row; nothing was changed
     */
    @DistributedLock("/order-stats")
    public FencingToken add(Sale sale, @Nullable FencingToken token) {
        FencingToken held = Objects.requireNonNull(token, "token");
        StatisticsRow row = rows.claim(sale.day(), sale.product(), held);
        rows.write(row.plus(sale), sale, held);
        return held;
    }

    /** Counts a rejected write. */
    public void recordRefused(Sale sale, StaleWriteException stale) {
        rows.recordRefused(sale, stale.token());
    }

    List<StatisticsRow> ofDay(LocalDate day) {
        return rows.ofDay(day);
    }
}
