package com.example.ordershop.statistics;

import io.github.zklock.FencingToken;
import io.github.zklock.annotation.DistributedLock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * The statistics, which every completed order changes in three steps: read the row, compute the new one, write it. Two
 * instances that are between reading and writing at the same time have read the same row, and one of their orders is
 * lost. The database cannot help, since each step is a transaction of its own.
 */
@Service
public class OrderStatistics {

    private final StatisticsTable table;

    OrderStatistics(StatisticsTable table) {
        this.table = table;
    }

    /**
     * Adds a sale under a lock: from reading to writing, this is the only instance that is in here.
     *
     * <p>A process that is paused for longer than its session loses the lock without noticing, and goes on to write when
     * it wakes up. That is why the row is claimed with the token of the lock before it is read, and the database refuses
     * writes under any older token from then on.
     *
     * @param token filled in by the lock; callers pass null
     * @return the token with which the row was written
     * @throws StaleWriteException if somebody else has got the lock meanwhile and claimed the row; nothing was changed
     */
    @DistributedLock("/order-stats")
    public FencingToken add(Sale sale, @Nullable FencingToken token) {
        FencingToken held = Objects.requireNonNull(token, "token");
        StatisticsRow row = table.claim(sale.day(), sale.product(), held);
        table.write(row.plus(sale), sale, held);
        return held;
    }
}
