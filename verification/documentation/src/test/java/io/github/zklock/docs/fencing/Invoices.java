package io.github.zklock.docs.fencing;

import io.github.zklock.FencingToken;
import io.github.zklock.annotation.DistributedLock;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Invoices that are only ever inserted: there is no row whose fence could be compared. */
@Service
class Invoices {

    private final Fence fence;
    private final JdbcClient jdbc;

    Invoices(Fence fence, JdbcClient jdbc) {
        this.fence = fence;
        this.jdbc = jdbc;
    }

    // snippet:inserts
    @DistributedLock("/invoices")
    @Transactional
    public void issue(LocalDate day, List<Long> cents, @Nullable FencingToken token) {
        fence.pass("/invoices", Objects.requireNonNull(token));
        for (long each : cents) {
            insert(day, each);
        }
    }
    // end:inserts

    void insert(LocalDate day, long cents) {
        jdbc.sql("insert into invoice (order_day, cents) values (:day, :cents)")
                .param("day", day)
                .param("cents", cents)
                .update();
    }

    List<Long> of(LocalDate day) {
        return jdbc.sql("select cents from invoice where order_day = :day order by id")
                .param("day", day)
                .query(Long.class)
                .list();
    }
}
