package io.github.zklock.autoconfigure.fence;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import io.github.zklock.fence.JdbcFence;
import io.github.zklock.support.NamePattern;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Configuration properties {@code zk.lock.fence.jdbc.*}.
 *
 * @param names Names or patterns of exclusive and write locks that fence the JDBC transactions under them.
 * @param dataSources Bean names of the data sources whose transactions are fenced. Only or primary data source unless set.
 * @param table Name of the fence table, optionally with its schema.
 * @param initializeSchema Databases in which the fence table is created at start-up.
 */
@ConfigurationProperties("zk.lock.fence.jdbc")
record ZkLockFenceProperties(
        @DefaultValue List<String> names,
        @DefaultValue List<String> dataSources,
        @DefaultValue(JdbcFence.TABLE) String table,
        @DefaultValue("embedded") DatabaseInitializationMode initializeSchema) {

    static final String PREFIX = "zk.lock.fence.jdbc";

    ZkLockFenceProperties {
        if (names.isEmpty()) {
            throw new InvalidZkLockPropertyException(
                    PREFIX + ".names", "is not set, so no transaction is fenced", "name the locks, or use /** for all");
        }
        for (String name : names) {
            try {
                new NamePattern(name);
            } catch (IllegalArgumentException invalid) {
                throw new InvalidZkLockPropertyException(
                        PREFIX + ".names",
                        "contains no name of a lock: " + invalid.getMessage(),
                        "use a name or a pattern such as /orders/*");
            }
        }
        try {
            JdbcFence.checkedTable(table);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidZkLockPropertyException(
                    PREFIX + ".table", "is no name of a table: " + invalid.getMessage(), "use a plain SQL name");
        }
    }
}
