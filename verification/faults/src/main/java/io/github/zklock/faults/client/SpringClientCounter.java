package io.github.zklock.faults.client;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/**
 * A number in the application's database, if it has one. It is read, raised here and written, so that two that do so at
 * once lose a step; each step is noted in the same transaction.
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
