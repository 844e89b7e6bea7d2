package io.github.zklock.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.zklock.FakeHandle;
import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.annotation.CommitDespiteLockLoss;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import io.github.zklock.fixture.Actor;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions under fenced locks, on one database. The handles of most tests are not granted by a registry. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FencedTransactionTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LOCK = "/fenced/counter";

    private TestDatabase database;
    private ConfigurableApplicationContext application;
    private long rejectedBefore;

    /** Creates the database of the tests. */
    abstract TestDatabase createDatabase();

    /** Stops the database. */
    void stopDatabase() {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import(Counter.class)
    static class Platform {

        @Bean
        JdbcClient jdbcClient(DataSource database) {
            return JdbcClient.create(database);
        }

        @Bean
        JdbcTransactionManager transactionManager(DataSource database) {
            return new JdbcTransactionManager(database);
        }

        @Bean
        JdbcFence fence(DataSource database) {
            return new JdbcFence(
                    List.of("/fenced/**"), Map.of("dataSource", database), JdbcFence.TABLE, () -> "this-process");
        }
    }

    static class Counter {

        private final JdbcClient database;

        Counter(JdbcClient database) {
            this.database = database;
        }

        int read() {
            return database.sql("select n from counter").query(Integer.class).single();
        }

        void write(int n) {
            database.sql("update counter set n = ?").param(n).update();
        }

        @DistributedLock("/fenced/annotated")
        @Transactional
        public void increment() {
            write(read() + 1);
        }

        @DistributedLock("/fenced/annotated")
        public void incrementInside() {
            write(read() + 1);
        }

        @DistributedLock("/fenced/annotated")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void incrementAlone() {
            write(read() + 1);
        }

        @DistributedLock("/fenced/annotated")
        @Transactional(propagation = Propagation.NESTED)
        public void incrementNested(boolean fail) {
            write(read() + 1);
            if (fail) {
                throw new IllegalArgumentException("rolls the savepoint back");
            }
        }

        @CommitDespiteLockLoss
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void recordLoss() {
            write(read() + 100);
        }
    }

    @BeforeAll
    void start() {
        database = createDatabase();
        application = TestApplication.of(Platform.class)
                .withBean(DataSource.class, () -> database)
                .start();
    }

    @AfterAll
    void stop() {
        if (application != null) {
            application.close();
        }
        stopDatabase();
    }

    @BeforeEach
    void reset() {
        database.client().sql("delete from zk_lock_fence").update();
        database.client().sql("update counter set n = 0").update();
        database.statements().clear();
        rejectedBefore = fence().rejected();
    }

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                .isFalse();
        assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    }

    @Test
    void theFirstStatementRaisesTheRow() {
        under(
                handle(5),
                () -> required().execute(status -> {
                    counter().write(1);
                    return 0;
                }));

        assertThat(database.statements()).last().asString().startsWith("update counter");
        assertThat(database.statements().subList(0, database.statements().size() - 1))
                .isNotEmpty()
                .allMatch(statement -> statement.contains("zk_lock_fence"));
        assertThat(database.tokenOf(LOCK)).isEqualTo(5);
        assertThat(database.client()
                        .sql("select holder from zk_lock_fence")
                        .query(String.class)
                        .single())
                .isEqualTo("this-process, thread " + Thread.currentThread().getName());
    }

    @Test
    void aRowThatExistsIsRaisedByOneStatement() {
        under(handle(5), this::increment);
        database.statements().clear();

        under(handle(6), this::increment);

        assertThat(database.statements())
                .filteredOn(statement -> statement.contains("zk_lock_fence"))
                .hasSize(1);
    }

    @Test
    void aHolderThatWasOvertakenDoesNotWork() {
        under(handle(6), this::increment);
        List<String> done = new ArrayList<>();

        Throwable rejection = catchThrowable(() -> under(
                lost(handle(5)),
                () -> required().execute(status -> {
                    done.add("work");
                    return 0;
                })));

        assertThat(rejection)
                .isInstanceOf(LockLostException.class)
                .hasMessageContainingAll(
                        LOCK, "token 5", "token 6", "this-process, thread", "its transaction is rolled back")
                .hasMessageNotContaining("update");
        assertThat(done).isEmpty();
        assertThat(database.tokenOf(LOCK)).isEqualTo(6);
        assertThat(fence().rejected()).isEqualTo(rejectedBefore + 1);
        assertThat(fence().latest()).hasValueSatisfying(late -> {
            assertThat(late.token().value()).isEqualTo(5);
            assertThat(late.laterToken().value()).isEqualTo(6);
        });
    }

    @Test
    void aHolderWorksInSeveralTransactions() {
        under(handle(5), () -> {
            increment();
            return increment();
        });

        assertThat(database.counter()).isEqualTo(2);
    }

    /** An older holder has read and not yet written. Without the lock of the row, its update would be lost. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theTransactionOfALaterHolderWaitsAndReadsWhatTheEarlierOneWrote(boolean rowExists) {
        if (rowExists) {
            createRow();
        }
        AtomicBoolean laterWorks = new AtomicBoolean();
        try (OpenTransaction earlier = new OpenTransaction(handle(5));
                Actor later = new Actor("later")) {
            int read = earlier.holder.run(() -> counter().read());
            Future<?> second = later.startAct(() -> under(
                    handle(6),
                    () -> required().execute(status -> {
                        laterWorks.set(true);
                        counter().write(counter().read() + 1);
                        return 0;
                    })));
            // on H2, a transaction that waits for a new row is not shown as a waiting one
            if (rowExists) {
                awaitWaiterOr(() -> laterWorks.get() || second.isDone());
            }
            assertThat(laterWorks).as("whether the later holder works").isFalse();
            earlier.holder.act(() -> counter().write(read + 1));
            earlier.commit();
            Actor.join(second);
        }

        assertThat(database.counter()).isEqualTo(2);
        assertThat(database.tokenOf(LOCK)).isEqualTo(6);
    }

    @Test
    void anEarlierHolderThatBeginsAfterALaterOneWaitsAndIsRejected() {
        createRow();
        try (OpenTransaction later = new OpenTransaction(handle(6));
                Actor earlier = new Actor("earlier")) {
            Future<?> first = earlier.startAct(() -> under(lost(handle(5)), this::increment));
            awaitWaiterOr(first::isDone);
            later.holder.act(() -> counter().write(counter().read() + 1));
            later.commit();
            assertThatThrownBy(() -> Actor.join(first)).isInstanceOf(LockLostException.class);
        }

        assertThat(database.counter()).isEqualTo(1);
    }

    @Test
    void theWaitForAnEarlierHolderEndsWithAClearError() {
        createRow();
        try (OpenTransaction earlier = new OpenTransaction(handle(5))) {
            TransactionTemplate brief = required();
            brief.setTimeout(1);

            assertThatThrownBy(() -> under(
                            handle(6), () -> brief.execute(status -> counter().read())))
                    .isInstanceOf(CannotAcquireLockException.class)
                    .hasMessageContainingAll(
                            LOCK, "token 6", "locked by the transaction of another holder", "docs/fencing.md");

            earlier.commit();
        }
    }

    @Test
    void aRejectedTransactionLeavesTheOneAroundItIntact() {
        under(handle(6), this::increment);

        required().executeWithoutResult(outer -> {
            counter().write(7);
            assertThatThrownBy(() -> under(lost(handle(5)), () -> requiresNew().execute(status -> 0)))
                    .isInstanceOf(LockLostException.class);
            assertThat(counter().read()).isEqualTo(7);
            counter().write(8);
        });

        assertThat(database.counter()).isEqualTo(8);
    }

    @Test
    void aTransactionInsideAnotherOneUnderTheSameLockDoesNotWaitForIt() {
        under(
                handle(5),
                () -> required().execute(outer -> {
                    requiresNew().executeWithoutResult(inner -> counter().write(3));
                    assertThat(database.counter()).isEqualTo(3);
                    return 0;
                }));

        assertThat(database.tokenOf(LOCK)).isEqualTo(5);
    }

    @Test
    void aTransactionInsideAnotherOneIsRejectedIfTheOtherOneNoLongerLocksTheRow() {
        assertThatThrownBy(() -> under(
                        lost(handle(5)),
                        () -> required().execute(outer -> {
                            Connection around = DataSourceUtils.getConnection(database);
                            requiresNew().executeWithoutResult(inner -> {
                                // as if the database had ended the idle transaction: a later holder works
                                endTransaction(around);
                                inNewThread(() -> under(handle(6), this::increment));
                                counter().write(50);
                            });
                            return 0;
                        })))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("token 6");

        assertThat(database.counter()).isEqualTo(1);
    }

    @Test
    void aLockThatAMethodAcquiresInsideATransactionFencesTheRestOfIt() {
        required().executeWithoutResult(status -> {
            counter().read();
            counter().incrementInside();
            database.statements().clear();
            // enters the lock again
            counter().incrementInside();
            assertThat(database.statements()).noneMatch(statement -> statement.contains("zk_lock_fence"));
        });

        assertThat(database.counter()).isEqualTo(2);
        assertThat(database.tokenOf("/fenced/annotated")).isPositive();
    }

    @Test
    void aMethodThatTakesPartInATransactionRaisesTheRowThere() {
        required().executeWithoutResult(status -> counter().increment());

        assertThat(database.counter()).isEqualTo(1);
        assertThat(database.tokenOf("/fenced/annotated")).isPositive();
    }

    @Test
    void aMethodWithATransactionOfItsOwnRaisesTheRowOnlyThere() throws Exception {
        required().executeWithoutResult(status -> {
            counter().incrementAlone();
            // the transaction around it does not lock the row
            inNewThread(() -> {
                counter().incrementAlone();
                return 0;
            });
        });

        assertThat(database.counter()).isEqualTo(2);
    }

    @Test
    void anOvertakenLockInsideATransactionPreventsTheCommitAlthoughTheCallerCatchesIt() {
        setToken("/fenced/annotated", Long.MAX_VALUE);

        assertThatThrownBy(() -> required().executeWithoutResult(status -> {
                    counter().write(9);
                    assertThatThrownBy(() -> counter().incrementInside()).isInstanceOf(LockLostException.class);
                }))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("token " + Long.MAX_VALUE);

        assertThat(database.counter()).isZero();
    }

    @Test
    void aLockThatCodeAcquiresInsideATransactionPreventsItsCommit() {
        assertThatThrownBy(() -> required().execute(status -> {
                    LockContext.Scope scope = LockContext.open(handle(5));
                    TransactionSynchronizationManager.registerSynchronization(new ClosingAfterwards(scope));
                    counter().write(9);
                    return 0;
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(LOCK, "acquired by code inside", "before the transaction begins");

        assertThat(database.counter()).isZero();
    }

    @Test
    void aRowThatWasRaisedInASavepointIsRaisedAgainAfterItsRollback() {
        required().executeWithoutResult(status -> {
            assertThatThrownBy(() -> counter().incrementNested(true)).isInstanceOf(IllegalArgumentException.class);
            counter().incrementNested(false);
        });

        assertThat(database.counter()).isEqualTo(1);
        assertThat(database.tokenOf("/fenced/annotated")).isPositive();
    }

    @Test
    void aSavepointThatIsRolledBackDoesNotPreventTheCommit() {
        required().executeWithoutResult(status -> {
            counter().write(4);
            assertThatThrownBy(() -> counter().incrementNested(true)).isInstanceOf(IllegalArgumentException.class);
        });

        assertThat(database.counter()).isEqualTo(4);
    }

    @Test
    void severalLocksAreRaisedInTheOrderOfTheirNames() {
        List<String> waited = new ArrayList<>();
        FakeHandle z = handle("/fenced/z", 5);
        FakeHandle a = handle("/fenced/a", 5);
        under(
                handle("/fenced/z", 1),
                () -> under(handle("/fenced/a", 1), () -> required().execute(status -> 0)));
        setToken("/fenced/a", 9);
        setToken("/fenced/z", 9);
        z.become(LockState.LOST);
        a.become(LockState.LOST);

        Throwable rejection =
                catchThrowable(() -> under(z, () -> under(a, () -> required().execute(status -> 0))));

        assertThat(rejection)
                .isInstanceOfSatisfying(
                        LockLostException.class, lost -> waited.add(lost.name().value()));
        assertThat(waited).containsExactly("/fenced/a");
    }

    @Test
    void readOnlyTransactionsAreNotFenced() {
        TransactionTemplate reading = required();
        reading.setReadOnly(true);

        under(handle(5), () -> reading.execute(status -> counter().read()));

        assertThat(database.statements()).noneMatch(statement -> statement.contains("zk_lock_fence"));
    }

    @ParameterizedTest
    @EnumSource(
            value = LockKind.class,
            names = {"READ", "PERMITS"})
    void readersAndPermitsAreNotFenced(LockKind kind) {
        FakeHandle handle = handle(5);
        handle.kind(kind);

        under(handle, this::increment);

        assertThat(database.statements()).noneMatch(statement -> statement.contains("zk_lock_fence"));
    }

    @Test
    void locksOfOtherNamesAreNotFenced() {
        under(handle("/other", 5), this::increment);

        assertThat(database.statements()).noneMatch(statement -> statement.contains("zk_lock_fence"));
    }

    @Test
    void theReadAndTheWriteLockOfARegistryAreTold() throws Exception {
        LockRegistry registry = application.getBean(LockRegistry.class);

        registry.readWriteLock("/fenced/kinds").readLock().lock();
        try {
            increment();
        } finally {
            registry.readWriteLock("/fenced/kinds").readLock().unlock();
        }
        assertThat(database.tokenOf("/fenced/kinds")).isZero();
        registry.readWriteLock("/fenced/kinds").writeLock().lock();
        try {
            increment();
        } finally {
            registry.readWriteLock("/fenced/kinds").writeLock().unlock();
        }
        assertThat(database.tokenOf("/fenced/kinds")).isPositive();
    }

    @Test
    void tokensThatHaveFallenAreAnErrorThatNamesTheRemedy() {
        setToken(LOCK, 900);

        assertThatThrownBy(() -> under(handle(5), this::increment))
                .isInstanceOf(LockLostException.class)
                .hasMessageContainingAll(
                        "proven to be held",
                        "token 900",
                        "the data of ZooKeeper were lost",
                        "update zk_lock_fence set token = 0 where lock_name = '" + LOCK + "'");

        assertThat(database.counter()).isZero();
        assertThat(fence().rejected()).isEqualTo(rejectedBefore + 1);
    }

    @Test
    void anOutageOfZooKeeperBetweenBeginAndCommitRollsTheRowBack() {
        FakeHandle handle = handle(5);

        assertThatThrownBy(() -> under(
                        handle,
                        () -> required().execute(status -> {
                            counter().write(9);
                            handle.become(LockState.SUSPENDED);
                            return 0;
                        })))
                .isInstanceOf(LockLostException.class);

        assertThat(database.counter()).isZero();
        assertThat(database.tokenOf(LOCK)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                TransactionDefinition.ISOLATION_READ_COMMITTED,
                TransactionDefinition.ISOLATION_REPEATABLE_READ,
                TransactionDefinition.ISOLATION_SERIALIZABLE
            })
    void holdersWithoutOverlapWorkUnderEachIsolation(int isolation) {
        TransactionTemplate isolated = required();
        isolated.setIsolationLevel(isolation);

        for (int token = 1; token <= 3; token++) {
            under(
                    handle(token),
                    () -> isolated.execute(status -> {
                        counter().write(counter().read() + 1);
                        return 0;
                    }));
        }
        assertThatThrownBy(() -> under(lost(handle(2)), () -> isolated.execute(status -> 0)))
                .isInstanceOf(LockLostException.class);

        assertThat(database.counter()).isEqualTo(3);
    }

    /** The later transaction reads what the earlier one wrote, or is rejected because its snapshot is older. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                TransactionDefinition.ISOLATION_READ_COMMITTED,
                TransactionDefinition.ISOLATION_REPEATABLE_READ,
                TransactionDefinition.ISOLATION_SERIALIZABLE
            })
    void aTransactionThatWaitedLosesNoUpdateUnderEachIsolation(int isolation) {
        createRow();
        TransactionTemplate isolated = required();
        isolated.setIsolationLevel(isolation);
        Throwable rejection;
        try (OpenTransaction earlier = new OpenTransaction(handle(5));
                Actor later = new Actor("later")) {
            earlier.holder.act(() -> counter().write(counter().read() + 1));
            Future<?> second = later.startAct(() -> under(
                    handle(6),
                    () -> isolated.execute(status -> {
                        counter().write(counter().read() + 1);
                        return 0;
                    })));
            awaitWaiterOr(second::isDone);
            earlier.commit();
            rejection = catchThrowable(() -> Actor.join(second));
        }

        if (rejection == null) {
            assertThat(database.counter()).isEqualTo(2);
        } else {
            assertThat(isolation).isGreaterThan(TransactionDefinition.ISOLATION_READ_COMMITTED);
            assertThat(rejection).isInstanceOf(CannotAcquireLockException.class).hasMessageContaining("Repeat");
            assertThat(database.counter()).isEqualTo(1);
        }
    }

    @Test
    void aTransactionThatHasToCommitAfterALossIsNotFenced() {
        under(handle(6), this::increment);

        under(lost(handle(5)), () -> {
            counter().recordLoss();
            return 0;
        });

        assertThat(database.counter()).isEqualTo(101);
    }

    @Test
    void aTransactionAfterAnExemptMethodIsFenced() {
        setToken(LOCK, 6);
        under(lost(handle(5)), () -> {
            counter().recordLoss();
            assertThatThrownBy(this::increment).isInstanceOf(LockLostException.class);
            return 0;
        });
    }

    @Test
    void withoutTheTableTheErrorNamesIt() {
        database.client()
                .sql("alter table zk_lock_fence rename to hidden_fence")
                .update();
        try {
            assertThatThrownBy(() -> under(handle(5), this::increment))
                    .isInstanceOf(InvalidDataAccessResourceUsageException.class)
                    .hasMessageContainingAll("zk_lock_fence", "zk.lock.fence.jdbc.initialize-schema", "grant");
        } finally {
            database.client()
                    .sql("alter table hidden_fence rename to zk_lock_fence")
                    .update();
        }
    }

    @Test
    void aManagerWithoutSynchronizationIsRefused() {
        JdbcTransactionManager manager = application.getBean(JdbcTransactionManager.class);
        manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
        try {
            assertThatThrownBy(() -> under(handle(5), this::increment))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("SYNCHRONIZATION_ALWAYS");
        } finally {
            manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_ALWAYS);
        }
        assertThat(database.counter()).isZero();
    }

    /** Closes a scope with its transaction, as code does that holds a lock for longer than its own method. */
    private record ClosingAfterwards(LockContext.Scope scope)
            implements org.springframework.transaction.support.TransactionSynchronization {

        @Override
        public void afterCompletion(int status) {
            scope.close();
        }
    }

    static void endTransaction(Connection connection) {
        try {
            connection.rollback();
        } catch (java.sql.SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static void inNewThread(Callable<?> work) {
        try (Actor other = new Actor("other")) {
            other.run(() -> {
                work.call();
                return 0;
            });
        }
    }

    private int increment() {
        required().executeWithoutResult(status -> counter().write(counter().read() + 1));
        return 0;
    }

    static <T> T under(LockHandle handle, Callable<T> work) {
        try (LockContext.Scope scope = LockContext.open(handle)) {
            return work.call();
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static FakeHandle handle(long token) {
        return handle(LOCK, token);
    }

    static FakeHandle handle(String lock, long token) {
        return new FakeHandle(LockName.of(lock), new FencingToken(token), new ArrayList<>());
    }

    /** Makes a handle one that does not know yet that the lock is lost: it cannot prove the lock, and works on. */
    private static FakeHandle lost(FakeHandle handle) {
        handle.become(LockState.LOST);
        return handle;
    }

    private void setToken(String lock, long token) {
        database.client()
                .sql("delete from zk_lock_fence where lock_name = ?")
                .param(lock)
                .update();
        database.client()
                .sql("insert into zk_lock_fence (lock_name, token) values (?, ?)")
                .param(lock)
                .param(token)
                .update();
    }

    private void createRow() {
        under(handle(1), () -> required().execute(status -> 0));
    }

    private void awaitWaiterOr(BooleanSupplier other) {
        Awaitility.await().atMost(PATIENCE).until(() -> database.hasWaiters() || other.getAsBoolean());
    }

    /** A transaction of a holder in a thread of its own, open until {@link #commit}. */
    private final class OpenTransaction implements AutoCloseable {

        private final Actor holder = new Actor("holder");
        private final JdbcTransactionManager manager = application.getBean(JdbcTransactionManager.class);
        private final LockContext.Scope scope;
        private final TransactionStatus status;

        OpenTransaction(LockHandle handle) {
            scope = holder.run(() -> LockContext.open(handle));
            status = holder.run(() -> manager.getTransaction(TransactionDefinition.withDefaults()));
        }

        void commit() {
            holder.act(() -> manager.commit(status));
        }

        /** Also rolls back a transaction that was not committed. */
        @Override
        public void close() {
            holder.act(() -> {
                if (!status.isCompleted()) {
                    manager.rollback(status);
                }
                scope.close();
            });
            holder.close();
        }
    }

    private Counter counter() {
        return application.getBean(Counter.class);
    }

    private JdbcFence fence() {
        return application.getBean(JdbcFence.class);
    }

    private TransactionTemplate required() {
        return new TransactionTemplate(application.getBean(JdbcTransactionManager.class));
    }

    private TransactionTemplate requiresNew() {
        TransactionTemplate template = required();
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return template;
    }
}
