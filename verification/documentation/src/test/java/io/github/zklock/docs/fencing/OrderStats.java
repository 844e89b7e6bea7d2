package io.github.zklock.docs.fencing;

import io.github.zklock.FencingToken;
import io.github.zklock.annotation.DistributedLock;
import java.time.LocalDate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Statistics that are computed under a lock, and written under its token. */
@Service
class OrderStats {

    private final Orders orders;
    private final OrderStatsTable table;

    OrderStats(Orders orders, OrderStatsTable table) {
        this.orders = orders;
        this.table = table;
    }

    // snippet:annotation
    @DistributedLock("/order-stats")
    @Transactional
    public void recompute(LocalDate day, @Nullable FencingToken token) { // callers pass null
        long total = orders.totalOf(day);
        table.write(day, total, Objects.requireNonNull(token));
    }
    // end:annotation

    @DistributedLock("/order-stats")
    @Transactional
    public void add(LocalDate day, long amount, @Nullable FencingToken token) {
        long before = table.claim(day, Objects.requireNonNull(token));
        table.writeClaimed(day, before + amount, token);
    }
}
