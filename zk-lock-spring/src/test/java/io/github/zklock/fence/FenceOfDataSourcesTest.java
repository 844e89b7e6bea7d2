package io.github.zklock.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.FakeHandle;
import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import io.r2dbc.spi.ConnectionFactories;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Which transactions of an application with several data sources and managers are fenced. */
class FenceOfDataSourcesTest {

    private static final String LOCK = "/fenced/sources";

    private final TestDatabase one = database("one");
    private final TestDatabase two = database("two");

    private static TestDatabase database(String name) {
        return new TestDatabase("jdbc:h2:mem:fence-of-" + name + ";DB_CLOSE_DELAY=-1", "h2", "select 0");
    }

    @BeforeEach
    void clear() {
        one.statements().clear();
        two.statements().clear();
    }

    @Test
    void onlyTheNamedDataSourceIsFenced() {
        application(fenceOf(Map.of("one", one)))
                .withBean("first", PlatformTransactionManager.class, () -> new JdbcTransactionManager(one))
                .withBean("second", PlatformTransactionManager.class, () -> new JdbcTransactionManager(two))
                .run(context -> {
                    under(5, () -> {
                        begin(context.getBean("first", PlatformTransactionManager.class));
                        begin(context.getBean("second", PlatformTransactionManager.class));
                    });

                    assertThat(one.tokenOf(LOCK)).isEqualTo(5);
                    assertThat(two.tokenOf(LOCK)).isZero();
                });
    }

    @Test
    void transactionsOfTwoDataSourcesInsideEachOtherAreBothFenced() {
        application(fenceOf(Map.of("one", one, "two", two)))
                .withBean("first", PlatformTransactionManager.class, () -> new JdbcTransactionManager(one))
                .withBean("second", PlatformTransactionManager.class, () -> new JdbcTransactionManager(two))
                .run(context -> {
                    under(
                            5,
                            () -> template(context.getBean("first", PlatformTransactionManager.class))
                                    .executeWithoutResult(status ->
                                            begin(context.getBean("second", PlatformTransactionManager.class))));
                    assertThat(one.tokenOf(LOCK)).isEqualTo(5);
                    assertThat(two.tokenOf(LOCK)).isEqualTo(5);

                    // overtaken in the second database only: the transaction of the first one is rolled back, too
                    two.client().sql("update zk_lock_fence set token = 9").update();
                    assertThatThrownBy(() -> under(
                                    6,
                                    LockState.LOST,
                                    () -> template(context.getBean("first", PlatformTransactionManager.class))
                                            .executeWithoutResult(status -> {
                                                one.client();
                                                begin(context.getBean("second", PlatformTransactionManager.class));
                                            })))
                            .isInstanceOf(LockLostException.class);
                    assertThat(one.tokenOf(LOCK)).isEqualTo(5);
                });
    }

    @Test
    void aTransactionInsideOneOfAnotherManagerDoesNotCheckTheOtherDataSource() {
        application(fenceOf(Map.of("one", one, "two", two)))
                .withBean("first", PlatformTransactionManager.class, () -> new JdbcTransactionManager(one))
                .withBean("second", PlatformTransactionManager.class, () -> new JdbcTransactionManager(two))
                .run(context -> {
                    template(context.getBean("first", PlatformTransactionManager.class))
                            .executeWithoutResult(status ->
                                    under(5, () -> begin(context.getBean("second", PlatformTransactionManager.class))));

                    assertThat(one.tokenOf(LOCK)).isZero();
                    assertThat(two.tokenOf(LOCK)).isEqualTo(5);
                });
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 6})
    void aRaiseAfterARollbackLeavesTheConnectionAsItWas(long token) throws SQLException {
        one.client()
                .sql("merge into zk_lock_fence (lock_name, token, holder) values (?, 5, 'a')")
                .param(LOCK)
                .update();
        FencedDataSource dataSource = new FencedDataSource("one", one, "zk_lock_fence", late -> {});
        try (Connection connection = one.getConnection()) {
            FakeHandle handle = new FakeHandle(LockName.of(LOCK), new FencingToken(token), new ArrayList<>());
            dataSource.raiseAfterRollback(handle, "b", new ConnectionHolder(connection));

            assertThat(connection.getAutoCommit()).isTrue();
        }
        assertThat(one.tokenOf(LOCK)).isEqualTo(Math.max(5, token));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lazy", "transaction-aware", "plain"})
    void aProxyOfTheDataSourceIsTheSameDataSource(String proxy) {
        DataSource used = switch (proxy) {
            case "lazy" -> new LazyConnectionDataSourceProxy(one);
            case "transaction-aware" -> new TransactionAwareDataSourceProxy(one);
            default -> one;
        };
        application(fenceOf(Map.of("one", one)))
                .withBean("manager", PlatformTransactionManager.class, () -> new JdbcTransactionManager(used))
                .run(context -> {
                    under(5, () -> begin(context.getBean(PlatformTransactionManager.class)));

                    assertThat(JdbcClient.create(one)
                                    .sql("select token from zk_lock_fence")
                                    .query(Long.class)
                                    .list())
                            .containsExactly(5L);
                });
    }

    @Test
    void aRoutingDataSourceRaisesTheRowInTheDatabaseOfTheTransaction() {
        String[] route = {"one"};
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return route[0];
            }
        };
        Map<Object, Object> targets = new HashMap<>(Map.of("one", one, "two", two));
        routing.setTargetDataSources(targets);
        routing.afterPropertiesSet();
        application(fenceOf(Map.of("routing", routing)))
                .withBean("manager", PlatformTransactionManager.class, () -> new JdbcTransactionManager(routing))
                .run(context -> {
                    PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
                    under(5, () -> begin(manager));
                    route[0] = "two";
                    under(6, () -> begin(manager));

                    assertThat(one.tokenOf(LOCK)).isEqualTo(5);
                    assertThat(two.tokenOf(LOCK)).isEqualTo(6);
                });
    }

    @Test
    void aDataSourceThatNoManagerUsesFailsTheStart() {
        TestApplication application = application(fenceOf(Map.of("two", two)))
                .withBean("manager", PlatformTransactionManager.class, () -> new JdbcTransactionManager(one));

        assertThatThrownBy(application::start)
                .hasMessageContainingAll(
                        "data source 'two' cannot be fenced", "no transaction manager", "JTA and R2DBC");
    }

    @Test
    void aManagerThatDoesNotExposeTheConnectionIsRefused() {
        application(fenceOf(Map.of("one", one)))
                .withBean("manager", PlatformTransactionManager.class, () -> new HidingManager(one))
                .run(context -> {
                    assertThatThrownBy(() -> under(5, () -> begin(context.getBean(PlatformTransactionManager.class))))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContainingAll("does not expose the connection", "JpaDialect");
                });
    }

    @Test
    void aReactiveMethodUnderAFencedLockIsRefusedIfReactiveTransactionsCanBegin() {
        TestApplication application = application(fenceOf(Map.of("one", one)))
                .withBean("manager", PlatformTransactionManager.class, () -> new JdbcTransactionManager(one))
                .withBeans(Reactive.class);

        application.run(context ->
                assertThat(context.getBean(Reactive.class).work().block()).isEqualTo("done"));
        application
                .withBean(
                        R2dbcTransactionManager.class,
                        () -> new R2dbcTransactionManager(ConnectionFactories.get("r2dbc:h2:mem:///fence")))
                .run(context -> {
                    assertThatThrownBy(
                                    () -> context.getBean(Reactive.class).work().block())
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContainingAll("/fenced/reactive", "cannot fence reactive transactions", "JDBC");
                    assertThat(context.getBean(Reactive.class).read().block()).isEqualTo("done");
                });
    }

    @Test
    void aNameThatIsNoTableFailsTheStart() {
        assertThatThrownBy(() -> new JdbcFence(List.of("/a"), Map.of("one", one), "fence; drop table x", () -> "me"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a plain SQL name");
    }

    static class Reactive {

        @DistributedLock("/fenced/reactive")
        public Mono<String> work() {
            return Mono.just("done");
        }

        @DistributedLock(name = "/fenced/read", kind = LockKind.READ)
        public Mono<String> read() {
            return Mono.just("done");
        }
    }

    /** A manager as that of JPA with a dialect that does not know JDBC. */
    public static final class HidingManager extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient DataSource dataSource;

        HidingManager(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        public DataSource getDataSource() {
            return dataSource;
        }

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    private static TestApplication application(JdbcFence fence) {
        return TestApplication.of().withBean(JdbcFence.class, () -> fence);
    }

    private static JdbcFence fenceOf(Map<String, DataSource> sources) {
        return new JdbcFence(List.of("/fenced/**"), sources, JdbcFence.TABLE, () -> "this-process");
    }

    private static void begin(PlatformTransactionManager manager) {
        template(manager).executeWithoutResult(status -> {});
    }

    private static TransactionTemplate template(PlatformTransactionManager manager) {
        return new TransactionTemplate(manager);
    }

    private static void under(long token, Runnable work) {
        under(token, LockState.HELD, work);
    }

    private static void under(long token, LockState state, Runnable work) {
        FakeHandle handle = new FakeHandle(LockName.of(LOCK), new FencingToken(token), new ArrayList<>());
        handle.become(state);
        try (LockContext.Scope scope = LockContext.open(handle)) {
            work.run();
        }
    }
}
