package io.github.zklock.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.FakeHandle;
import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockName;
import io.github.zklock.config.TestApplication;
import io.github.zklock.fixture.DatabaseServer;
import io.github.zklock.fixture.DatabaseServer.Product;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Measures a transaction with one update under a fenced lock, beside the same transaction under a lock that is not
 * fenced. Prints the medians; fails only if a transaction is not fenced:
 *
 * <pre>mvn test -pl zk-lock-spring -am -Pfull -Dtest=FenceCostTest -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
@Tag("processes")
class FenceCostTest {

    private static final int WARM_UP = 2_000;
    private static final int SAMPLES = 4_000;

    @ParameterizedTest
    @ValueSource(strings = {"h2", "postgresql", "mariadb"})
    void aTransactionCostsOneMoreStatement(String platform) {
        Optional<DatabaseServer> server = platform.equals("h2")
                ? Optional.empty()
                : Optional.of(DatabaseServer.start(Product.valueOf(platform.toUpperCase(Locale.ROOT)))
                        .orElseGet(() -> Assumptions.abort("The package of this server is not installed")));
        SingleConnectionDataSource database =
                new SingleConnectionDataSource(server.map(DatabaseServer::url).orElse("jdbc:h2:mem:cost"), true);
        try {
            new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fence/schema-" + platform + ".sql"))
                    .execute(database);
            JdbcClient client = JdbcClient.create(database);
            client.sql("create table counter (n int not null)").update();
            client.sql("insert into counter values (0)").update();
            TestApplication.of()
                    .withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(database))
                    .withBean(
                            JdbcFence.class,
                            () -> new JdbcFence(
                                    List.of("/fenced"),
                                    Map.<String, DataSource>of("database", database),
                                    JdbcFence.TABLE,
                                    () -> "me"))
                    .run(context -> measure(platform, context.getBean(PlatformTransactionManager.class), client));
        } finally {
            database.destroy();
            server.ifPresent(DatabaseServer::close);
        }
    }

    private static void measure(String platform, PlatformTransactionManager manager, JdbcClient client) {
        TransactionTemplate transaction = new TransactionTemplate(manager);
        Runnable work = () -> transaction.executeWithoutResult(
                status -> client.sql("update counter set n = n + 1").update());
        List<String> locks = List.of("/plain", "/fenced", "/plain", "/fenced");
        long[] nanos = new long[2];
        for (int i = 0; i < locks.size(); i++) {
            nanos[i % 2] = medianUnder(locks.get(i), work);
        }
        System.out.printf("%s: %.0f us without the fence, %.0f us with it%n", platform, nanos[0] / 1e3, nanos[1] / 1e3);
        assertThat(client.sql("select token from zk_lock_fence")
                        .query(Long.class)
                        .list())
                .containsExactly(1L);
    }

    private static long medianUnder(String lock, Runnable work) {
        FakeHandle handle = new FakeHandle(LockName.of(lock), new FencingToken(1), new ArrayList<>());
        long[] samples = new long[SAMPLES];
        try (LockContext.Scope scope = LockContext.open(handle)) {
            for (int i = 0; i < WARM_UP; i++) {
                work.run();
            }
            for (int i = 0; i < SAMPLES; i++) {
                long begun = System.nanoTime();
                work.run();
                samples[i] = System.nanoTime() - begun;
            }
        }
        Arrays.sort(samples);
        return samples[SAMPLES / 2];
    }
}
