package io.github.zklock.docs.fencing;

import io.github.zklock.FencingToken;
import java.time.LocalDate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The totals of each day, with the highest token that has written each. */
@Repository
class OrderStatsTable {

    private final JdbcClient jdbc;

    OrderStatsTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    // snippet:write
    void write(LocalDate day, long total, FencingToken token) {
        prepare(day);
        int rows = jdbc.sql("update order_stats set total = :total, fence = :token"
                        + " where order_day = :day and fence < :token")
                .param("total", total)
                .param("token", token.value())
                .param("day", day)
                .update();
        if (rows == 0) {
            throw new StaleWriteException("Total of " + day, token);
        }
    }

    /** Inserts the row of a new day with fence 0, which every token passes. */
    private void prepare(LocalDate day) {
        jdbc.sql("insert into order_stats (order_day, total, fence) values (:day, 0, 0) on conflict do nothing")
                .param("day", day)
                .update();
    }
    // end:write

    // snippet:claim
    /** Raises the fence before the read: afterwards no older token can write. */
    long claim(LocalDate day, FencingToken token) {
        prepare(day);
        int rows = jdbc.sql("update order_stats set fence = :token where order_day = :day and fence <= :token")
                .param("token", token.value())
                .param("day", day)
                .update();
        if (rows == 0) {
            throw new StaleWriteException("Total of " + day, token);
        }
        return totalOf(day);
    }
    // end:claim

    void writeClaimed(LocalDate day, long total, FencingToken token) {
        int rows = jdbc.sql("update order_stats set total = :total where order_day = :day and fence = :token")
                .param("total", total)
                .param("token", token.value())
                .param("day", day)
                .update();
        if (rows == 0) {
            throw new StaleWriteException("Total of " + day, token);
        }
    }

    long totalOf(LocalDate day) {
        return jdbc.sql("select total from order_stats where order_day = :day")
                .param("day", day)
                .query(Long.class)
                .optional()
                .orElse(0L);
    }
}
