package io.github.zklock.fence;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** A database with the fence table and a counter. Records the statements that are prepared on it. */
final class TestDatabase extends DelegatingDataSource {

    private final JdbcClient client;
    private final String waiters;
    private final List<String> statements = new CopyOnWriteArrayList<>();

    /** @param waiters a query that returns how many transactions wait for a row */
    TestDatabase(String url, String platform, String waiters) {
        super(new DriverManagerDataSource(url));
        this.client = JdbcClient.create(targetOf(this));
        this.waiters = waiters;
        client.sql("drop table if exists zk_lock_fence").update();
        client.sql("drop table if exists counter").update();
        new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fence/schema-" + platform + ".sql"))
                .execute(targetOf(this));
        client.sql("create table counter (n int not null)").update();
        client.sql("insert into counter values (0)").update();
    }

    private static DataSource targetOf(TestDatabase database) {
        return Objects.requireNonNull(database.getTargetDataSource());
    }

    /** Reads outside of every transaction. */
    JdbcClient client() {
        return client;
    }

    int counter() {
        return client.sql("select n from counter").query(Integer.class).single();
    }

    /** Returns the token in the row of this lock; 0 if there is no row. */
    long tokenOf(String lock) {
        return client.sql("select token from zk_lock_fence where lock_name = ?")
                .param(lock)
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    boolean hasWaiters() {
        return client.sql(waiters).query(Integer.class).single() > 0;
    }

    /** Returns the statements so far, each as its text. */
    List<String> statements() {
        return statements;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        statements.add((String) arguments[0]);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
