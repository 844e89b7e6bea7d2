package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.CommitDespiteLockLoss;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.config.TestApplication;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class ReactiveTransactionTest extends TransactionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static ConfigurableApplicationContext application;
    private static ConfigurableApplicationContext refusing;

    @Configuration(proxyBeanMethods = false)
    @Import({Orders.class, OwnOrders.class, Audit.class, Table.class})
    static class Shop {

        @Bean
        ConnectionFactory connectionFactory() {
            return ConnectionFactories.get("r2dbc:h2:mem:///reactive?options=DB_CLOSE_DELAY=-1");
        }

        @Bean
        DatabaseClient databaseClient(ConnectionFactory connections) {
            return DatabaseClient.create(connections);
        }

        @Bean
        Commits commits(LockRegistry registry) {
            return new Commits(registry.inspector());
        }

        @Bean
        R2dbcTransactionManager transactionManager(ConnectionFactory connections, Commits commits) {
            R2dbcTransactionManager made = new R2dbcTransactionManager(connections);
            made.setTransactionExecutionListeners(List.of(commits));
            return made;
        }
    }

    /** Records the locks that this process held at each commit. */
    static class Commits implements TransactionExecutionListener {

        private final LockInspector inspector;
        private final List<List<String>> held = new CopyOnWriteArrayList<>();

        Commits(LockInspector inspector) {
            this.inspector = inspector;
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            held.add(inspector.held().stream().map(lock -> lock.name().value()).toList());
        }
    }

    static class Table {

        private final DatabaseClient database;

        Table(DatabaseClient database) {
            this.database = database;
        }

        Mono<Long> add(String id) {
            return database.sql("insert into orders values ('" + id + "')")
                    .fetch()
                    .rowsUpdated();
        }

        boolean has(String id) {
            return database.sql("select id from orders where id = '" + id + "'")
                            .fetch()
                            .all()
                            .count()
                            .block(PATIENCE)
                    > 0;
        }

        @Transactional
        public Mono<Long> addInTransaction(String id, LockHandle toLose) {
            return add(id).publishOn(Schedulers.boundedElastic()).doOnNext(added -> lose(toLose));
        }
    }

    static class Orders {

        private final Table table;

        Orders(Table table) {
            this.table = table;
        }

        @DistributedLock("/orders")
        @Transactional
        public Mono<Long> place(String id) {
            return table.add(id);
        }

        @DistributedLock("/orders")
        @Transactional
        public Mono<Long> placeAndLose(String id, @Nullable LockHandle handle) {
            return table.add(id).publishOn(Schedulers.boundedElastic()).doOnNext(added -> lose(handle));
        }

        @DistributedLock("/orders")
        @Transactional
        public Flux<Long> placeSeveralAndLose(String id, @Nullable LockHandle handle) {
            return table.add(id)
                    .publishOn(Schedulers.boundedElastic())
                    .doOnNext(added -> lose(handle))
                    .repeat(0);
        }

        @DistributedLock("/orders")
        public Mono<Long> loseAroundTheTransaction(String id, @Nullable LockHandle handle) {
            return table.addInTransaction(id, handle);
        }

        @DistributedLock("/orders")
        public Mono<LockHandle> add(String id, @Nullable LockHandle handle) {
            return table.add(id).thenReturn(handle);
        }

        @DistributedLock("/orders")
        public Mono<Long> addAndLose(String id, @Nullable LockHandle handle) {
            return table.add(id).publishOn(Schedulers.boundedElastic()).doOnNext(added -> lose(handle));
        }
    }

    static class Audit {

        private final Table table;

        Audit(Table table) {
            this.table = table;
        }

        @CommitDespiteLockLoss
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Mono<Long> record(String id) {
            return table.add(id);
        }

        @CommitDespiteLockLoss
        @Transactional
        public Mono<Long> recordInTheTransactionOfTheCaller(String id) {
            return table.add(id);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Mono<Long> recordUndeclared(String id) {
            return table.add(id);
        }

        @Transactional(readOnly = true)
        public Mono<Long> read() {
            return Mono.just(1L);
        }
    }

    /** Locked methods with transactions of their own. */
    static class OwnOrders {

        private final Table table;

        OwnOrders(Table table) {
            this.table = table;
        }

        @DistributedLock(name = "/around", onLost = OnLost.NOTIFY)
        public Mono<Long> loseAndThen(Mono<Long> work, @Nullable LockHandle handle) {
            return Mono.fromRunnable(() -> lose(handle))
                    .subscribeOn(Schedulers.boundedElastic())
                    .then(work);
        }

        @DistributedLock(name = "/permits", permits = 2, onLost = OnLost.NOTIFY)
        @Transactional
        public Mono<Long> placeAndLosePermit(String id, @Nullable LockHandle handle) {
            return table.add(id).publishOn(Schedulers.boundedElastic()).doOnNext(added -> lose(handle));
        }

        @DistributedLock("/own/#{#id}")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Mono<Long> requiresNew(String id) {
            return table.add(id);
        }

        @DistributedLock("/own/#{#id}")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Mono<Long> requiresNewAndLose(String id, @Nullable LockHandle handle) {
            return table.add(id).publishOn(Schedulers.boundedElastic()).doOnNext(added -> lose(handle));
        }

        @DistributedLock("/own/#{#id}")
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public Mono<Long> notSupported(String id) {
            return table.add(id);
        }

        @DistributedLock("/own/#{#id}")
        @Transactional
        public Mono<Long> required(String id) {
            return table.add(id);
        }

        @DistributedLock("/own/#{#id}")
        public Mono<Long> aroundANewOne(String id, Mono<Long> newOne) {
            return newOne.then(table.add(id));
        }
    }

    @BeforeAll
    static void startApplications() {
        application = start(Shop.class);
        refusing = start(TestApplication.of().enabledBy(Refusing.class), Shop.class);
        application
                .getBean(DatabaseClient.class)
                .sql("create table if not exists orders (id varchar primary key)")
                .then()
                .block(PATIENCE);
    }

    @AfterAll
    static void stopApplications() {
        application.close();
        refusing.close();
    }

    @AfterEach
    void nothingIsLeft() {
        Awaitility.await().atMost(PATIENCE).until(() -> held().isEmpty());
    }

    @Test
    void theLockStandsOutsideTheReactiveTransaction() {
        application.getBean(Commits.class).held.clear();

        orders().place("outside").block(PATIENCE);

        assertThat(application.getBean(Commits.class).held).containsExactly(List.of("/orders"));
        assertThat(table().has("outside")).isTrue();
    }

    @Test
    void aLockThatIsLostBeforeTheCommitRollsTheMonoBack() {
        assertRefused(orders().placeAndLose("mono", null), "mono");
    }

    @Test
    void aLockThatIsLostBeforeTheCommitRollsTheFluxBack() {
        assertRefused(orders().placeSeveralAndLose("flux", null).last(), "flux");
    }

    @Test
    void aLockAroundATransactionOfAnotherBeanRollsItBackWhenLost() {
        assertRefused(orders().loseAroundTheTransaction("around", null), "around");
    }

    @Test
    void aLockThatIsAcquiredInsideOutlivesItsMethodUntilTheCommit() {
        application.getBean(Commits.class).held.clear();

        orders().add("inside", null)
                .doOnNext(handle -> assertThat(handle.isHeld()).isTrue())
                .then(Mono.fromSupplier(ReactiveTransactionTest::held))
                .doOnNext(held -> assertThat(held).containsExactly("/orders"))
                .as(transaction()::transactional)
                .block(PATIENCE);

        assertThat(application.getBean(Commits.class).held).hasSize(1);
        assertThat(table().has("inside")).isTrue();
    }

    @Test
    void furtherCallsInTheTransactionReenter() {
        Mono<Boolean> sameToken = orders().add("first", null)
                .zipWhen(first -> orders().add("second", null))
                .map(both -> both.getT1().fencingToken().equals(both.getT2().fencingToken()))
                .as(transaction()::transactional);

        assertThat(sameToken.block(PATIENCE)).isTrue();
    }

    @Test
    void aRollbackReleasesTheLock() {
        StepVerifier.create(orders().add("rolled back", null)
                        .then(Mono.error(new IllegalStateException("no")))
                        .as(transaction()::transactional))
                .verifyErrorMessage("no");

        assertThat(table().has("rolled back")).isFalse();
    }

    @Test
    void aCancellationGivesTheLockBack() {
        CompletableFuture<Object> reached = new CompletableFuture<>();

        StepVerifier.create(orders().add("cancelled", null)
                        .doOnNext(reached::complete)
                        .then(Mono.never())
                        .as(transaction()::transactional))
                .then(() -> reached.orTimeout(60, java.util.concurrent.TimeUnit.SECONDS)
                        .join())
                .thenCancel()
                .verify(PATIENCE);

        Awaitility.await().atMost(PATIENCE).until(() -> held().isEmpty());
        assertThat(table().has("cancelled")).isFalse();
    }

    @Test
    void aLockThatIsLostBetweenMethodAndCommitRollsBack() {
        assertRefused(
                orders().add("later", null)
                        .publishOn(Schedulers.boundedElastic())
                        .doOnNext(TransactionTest::lose)
                        .as(transaction()::transactional),
                "later");
    }

    @Test
    void aLossInTheMethodRollsBackEvenIfTheCallerResumes() {
        assertRefused(
                orders().addAndLose("resumed", null)
                        .onErrorResume(LockLostException.class, lost -> Mono.just(0L))
                        .as(transaction()::transactional),
                "resumed");
    }

    @Test
    void anExemptNewTransactionRecordsTheLossOfALock() {
        own().loseAndThen(audit().record("audit"), null).block(PATIENCE);

        assertThat(table().has("audit")).isTrue();
    }

    @Test
    void anExemptMethodThatBeginsItsTransactionRecordsTheLossOfALock() {
        own().loseAndThen(audit().recordInTheTransactionOfTheCaller("audit that begins"), null)
                .block(PATIENCE);

        assertThat(table().has("audit that begins")).isTrue();
    }

    @Test
    void anExemptMethodThatJoinsATransactionDoesNotExemptIt() {
        assertRefused(
                own().loseAndThen(
                                audit().recordInTheTransactionOfTheCaller("audit that joins")
                                        .as(transaction()::transactional),
                                null),
                "audit that joins");
    }

    @Test
    void aNewTransactionThatIsNotExemptIsRolledBack() {
        assertRefused(own().loseAndThen(audit().recordUndeclared("undeclared"), null), "undeclared");
    }

    @Test
    void aReadOnlyTransactionAfterALossCommits() {
        assertThat(own().loseAndThen(audit().read(), null).block(PATIENCE)).isOne();
    }

    @Test
    void aLockThatIsOnlyKeptForASuspendedTransactionDoesNotGuardANewOne() {
        assertRefused(
                orders().add("outer", null)
                        .publishOn(Schedulers.boundedElastic())
                        .doOnNext(TransactionTest::lose)
                        .then(audit().recordUndeclared("beside a kept lock"))
                        .as(transaction()::transactional),
                "outer");

        assertThat(table().has("beside a kept lock")).isTrue();
    }

    @Test
    void aLostPermitDoesNotPreventTheCommit() {
        own().placeAndLosePermit("without permit", null).block(PATIENCE);

        assertThat(table().has("without permit")).isTrue();
    }

    @Test
    void aThousandMethodsWithTransactionsOfTheirOwnHoldOneLockAtATime() {
        Flux.range(0, 1_000)
                .concatMap(i -> own().requiresNew("loop" + i))
                .doOnNext(added -> assertThat(held()).isEmpty())
                .as(transaction()::transactional)
                .blockLast(PATIENCE.multipliedBy(5));

        assertThat(table().has("loop999")).isTrue();
    }

    @Test
    void aMethodThatRunsOutsideTheTransactionReleasesItsLock() {
        own().notSupported("not supported")
                .doOnNext(added -> assertThat(held()).isEmpty())
                .as(transaction()::transactional)
                .block(PATIENCE);
    }

    @Test
    void aMethodThatTakesPartInTheTransactionKeepsItsLock() {
        own().required("required")
                .doOnNext(added -> assertThat(held()).containsExactly("/own/required"))
                .as(transaction()::transactional)
                .block(PATIENCE);
    }

    @Test
    void aNewTransactionInsideTheMethodDoesNotEndItsLock() {
        own().aroundANewOne("around a new one", audit().recordUndeclared("new one inside"))
                .doOnNext(added -> assertThat(held()).containsExactly("/own/around a new one"))
                .as(transaction()::transactional)
                .block(PATIENCE);
    }

    @Test
    void aLossInATransactionOfItsOwnRollsBackOnlyThatOne() {
        table().add("outer of lost")
                .then(own().requiresNewAndLose("lost own", null)
                        .onErrorResume(LockLostException.class, lost -> Mono.just(0L)))
                .as(transaction()::transactional)
                .block(PATIENCE);

        assertThat(table().has("lost own")).isFalse();
        assertThat(table().has("outer of lost")).isTrue();
    }

    @Test
    void refuseRunsNothing() {
        StepVerifier.create(refusing.getBean(Orders.class)
                        .add("refused", null)
                        .as(
                                TransactionalOperator.create(refusing.getBean(ReactiveTransactionManager.class))
                                        ::transactional))
                .verifyErrorSatisfies(refusal -> assertThat(refusal)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith("Lock '/orders' not acquired"));

        assertThat(table().has("refused")).isFalse();
    }

    private static void assertRefused(Mono<?> work, String id) {
        StepVerifier.create(work)
                .thenConsumeWhile(value -> true)
                .expectErrorSatisfies(refusal -> assertThat(refusal)
                        .isInstanceOf(LockLostException.class)
                        .hasMessageEndingWith("its transaction is rolled back"))
                .verify(PATIENCE);
        assertThat(table().has(id)).isFalse();
    }

    @Test
    @Disabled("open: nothing is called between the callbacks of a reactive transaction and its commit")
    void aLossInACallbackBeforeTheCommitPreventsIt() {
        Mono<Long> work = TransactionSynchronizationManager.forCurrentTransaction()
                .flatMap(current -> {
                    current.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public Mono<Void> beforeCommit(boolean readOnly) {
                            return orders().addAndLose("callback", null)
                                    .onErrorComplete(LockLostException.class)
                                    .then();
                        }
                    });
                    return Mono.just(1L);
                });

        StepVerifier.create(work.as(transaction()::transactional))
                .expectError(LockLostException.class)
                .verify(PATIENCE);
        assertThat(table().has("callback")).isFalse();
    }

    private static TransactionalOperator transaction() {
        return TransactionalOperator.create(application.getBean(ReactiveTransactionManager.class));
    }

    private static Orders orders() {
        return application.getBean(Orders.class);
    }

    private static OwnOrders own() {
        return application.getBean(OwnOrders.class);
    }

    private static Audit audit() {
        return application.getBean(Audit.class);
    }

    private static Table table() {
        return application.getBean(Table.class);
    }

    private static List<String> held() {
        return application.getBean(LockRegistry.class).inspector().held().stream()
                .map(lock -> lock.name().value())
                .toList();
    }
}
