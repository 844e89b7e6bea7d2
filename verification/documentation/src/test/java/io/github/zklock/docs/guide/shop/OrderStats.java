package io.github.zklock.docs.guide.shop;

import static java.util.Objects.requireNonNull;

import io.github.zklock.FencingToken;
import io.github.zklock.annotation.DistributedLock;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

// snippet:service
@Service
class OrderStats {
    // end:service

    private final JdbcClient jdbc;

    OrderStats(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }
    // snippet:service

    @DistributedLock("/order-stats")
    public void recompute(LocalDate day, @Nullable FencingToken token) { // callers pass null, the lock fills it in
        long fence = requireNonNull(token).value();
        long total = totalOf(day);
        int rows = jdbc.sql("update order_stats set total = ?, fence = ? where order_day = ? and fence < ?")
                .params(total, fence, day, fence)
                .update();
        if (rows == 0) {
            throw new IllegalStateException("A later holder of the lock has written " + day);
        }
    }
    // end:service

    private long totalOf(LocalDate day) {
        return jdbc.sql("select coalesce(sum(amount), 0) from orders where day = ? and completed")
                .param(day)
                .query(Long.class)
                .single();
    }
    // snippet:service
}
// end:service
