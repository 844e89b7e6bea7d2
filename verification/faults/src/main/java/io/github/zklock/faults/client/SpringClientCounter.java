package io.github.zklock.faults.client;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/**
 * A counter in the application's database, if it has one. Read, increment and write are separate, so that two
 * concurrent calls lose a step; each step is recorded in the same transaction.
 */
class SpringClientCounter {

    private final @Nullable JdbcClient database;

    SpringClientCounter(@Nullable JdbcClient database) {
        this.database = database;
    }

    @Transactional
    public void increment() {
        if (database == null) {
            return;
        }
        long read = database.sql("select n from counter").query(Long.class).single();
        database.sql("update counter set n = ?").param(read + 1).update();
        database.sql("insert into steps values (?)").param(read + 1).update();
    }
}
