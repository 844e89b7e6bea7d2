package io.github.zklock.docs.fencing;

import io.github.zklock.FencingToken;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** The highest token that each lock has shown to this database. */
@Component
class Fence {

    private final JdbcClient jdbc;

    Fence(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    // snippet:fence
    /** Rejects this transaction if a later holder was here. Later transactions wait until this one ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void pass(String lock, FencingToken token) {
        jdbc.sql("insert into fence (lock_name, token) values (:lock, 0) on conflict do nothing")
                .param("lock", lock)
                .update();
        long highest = jdbc.sql("select token from fence where lock_name = :lock for update")
                .param("lock", lock)
                .query(Long.class)
                .single();
        if (highest > token.value()) {
            throw new StaleWriteException("Transaction under lock " + lock, token);
        }
        jdbc.sql("update fence set token = :token where lock_name = :lock")
                .param("token", token.value())
                .param("lock", lock)
                .update();
    }
    // end:fence
}
