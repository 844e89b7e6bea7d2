package com.example.ordershop;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.stereotype.Component;

/**
 * Applies {@code schema.sql} at startup, one instance at a time: on PostgreSQL, for example, concurrent
 * {@code create table if not exists} statements can fail.
 */
@Component
record SchemaInitializer(LockRegistry locks, DataSource database) implements InitializingBean {

    @Override
    public void afterPropertiesSet() throws InterruptedException {
        try (LockHandle handle = locks.lock("/schema").acquire(Duration.ofSeconds(30))) {
            new ResourceDatabasePopulator(new ClassPathResource("schema.sql")).execute(database);
            handle.ensureHeld();
        }
    }
}
