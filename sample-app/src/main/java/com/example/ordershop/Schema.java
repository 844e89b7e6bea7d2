package com.example.ordershop;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.stereotype.Component;

/** The tables of the shop, made when the first instance starts. */
@Component
final class Schema implements InitializingBean {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final LockRegistry locks;
    private final DataSource database;

    Schema(LockRegistry locks, DataSource database) {
        this.locks = locks;
        this.database = database;
    }

    /**
     * Applies {@code schema.sql} under a lock: {@code create table if not exists} of two instances that start at once
     * may fail in one of them, on PostgreSQL for example.
     */
    @Override
    public void afterPropertiesSet() throws InterruptedException {
        try (LockHandle alone = locks.lock("/schema").acquire(PATIENCE)) {
            new ResourceDatabasePopulator(new ClassPathResource("schema.sql")).execute(database);
            alone.ensureHeld();
        }
    }
}
