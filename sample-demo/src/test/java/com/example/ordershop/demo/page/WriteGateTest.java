package com.example.ordershop.demo.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.ordershop.Customer;
import com.example.ordershop.ShopTest;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import io.github.zklock.test.LockAssertions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.json.AbstractJsonContentAssert;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** Orders whose completions overlap, with and without the lock. */
@ShopTest
class WriteGateTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    @Autowired
    MockMvcTester http;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    LockRegistry locks;

    @Autowired
    InMemoryLockCluster cluster;

    Customer customer;

    @BeforeEach
    void closeGate() {
        customer = new Customer(http);
        moveGate("close");
    }

    @AfterEach
    void openGate() {
        moveGate("open");
    }

    @Test
    void twoAtOnceWithoutALockLoseAnOrder() {
        CompletableFuture<MvcTestResult> one = completing("2002-01-01", false);
        CompletableFuture<MvcTestResult> other = completing("2002-01-01", false);
        awaitAtGate(2);

        openGate();

        assertThat(one.join()).hasStatusOk();
        assertThat(other.join()).hasStatusOk();
        assertThatStatisticsOf("2002-01-01").isLenientlyEqualTo("""
                {"orders":1, "amountCents":700, "truth":{"orders":2, "amountCents":1400}, "right":false}""");
    }

    @Test
    void twoAtOnceUnderTheLockAreBothCounted() {
        CompletableFuture<MvcTestResult> one = completing("2002-01-02", true);
        awaitAtGate(1);
        CompletableFuture<MvcTestResult> other = completing("2002-01-02", true);
        await().atMost(LONG)
                .untilAsserted(() -> LockAssertions.assertThat(locks).hasWaiting("/order-stats", 1));

        openGate();

        assertThat(one.join()).hasStatusOk();
        assertThat(other.join()).hasStatusOk();
        assertThatStatisticsOf("2002-01-02").isLenientlyEqualTo("""
                {"orders":2, "amountCents":1400, "truth":{"orders":2, "amountCents":1400}, "right":true}""");
    }

    @Test
    void transactionOfAHolderThatWasOvertakenIsRejectedAndItsOrderStaysOpen() throws Exception {
        long order = customer.orderedTea("2002-01-03");
        CompletableFuture<MvcTestResult> late = completing(order, true);
        awaitAtGate(1);
        cluster.forceOut("/order-stats");
        String later = beginElsewhere();

        openGate();

        assertThatItIsLost(late);
        assertThat(customer.get("/shop"))
                .bodyJson()
                .extractingPath("$.lateWrite.laterToken")
                .isEqualTo(later);
        assertThatStatisticsOf("2002-01-03").isLenientlyEqualTo("""
                {"orders":0, "truth":{"orders":0}, "right":true}""");
        assertThat(customer.complete(order)).hasStatusOk();
    }

    @Test
    void holderThatHasLostTheLockCannotCommitEvenIfNobodyHasWritten() {
        CompletableFuture<MvcTestResult> late = completing("2002-01-05", true);
        awaitAtGate(1);
        forceOutTheHolder();

        openGate();

        assertThatItIsLost(late);
        assertThatStatisticsOf("2002-01-05").isLenientlyEqualTo("""
                {"orders":0, "truth":{"orders":0}, "right":true}""");
    }

    @Test
    void lossIsShownByTheShop() {
        CompletableFuture<MvcTestResult> late = completing("2002-01-06", true);
        awaitAtGate(1);

        cluster.forceOut("/order-stats");

        await().atMost(LONG)
                .untilAsserted(() -> assertThat(customer.get("/shop"))
                        .bodyJson()
                        .extractingPath("$.losses[0].name")
                        .isEqualTo("/order-stats"));
        openGate();
        late.join();
    }

    private void forceOutTheHolder() {
        cluster.forceOut("/order-stats");
        await().atMost(LONG)
                .untilAsserted(() -> LockAssertions.assertThat(locks).doesNotHold("/order-stats"));
    }

    private CompletableFuture<MvcTestResult> completing(String day, boolean guarded) {
        return completing(customer.orderedTea(day), guarded);
    }

    private CompletableFuture<MvcTestResult> completing(long order, boolean guarded) {
        return CompletableFuture.supplyAsync(
                () -> guarded ? customer.complete(order) : completeWithoutLock(order),
                task -> new Thread(task, "completing").start());
    }

    private MvcTestResult completeWithoutLock(long order) {
        return customer.post("/orders/" + order + "/complete-without-lock", "");
    }

    private void moveGate(String way) {
        assertThat(Customer.signedIn(http.post().uri("/gate/" + way), "admin")).hasStatusOk();
    }

    private void awaitAtGate(int waiting) {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(customer.get("/gate"))
                        .bodyJson()
                        .extractingPath("$.waiting")
                        .isEqualTo(waiting));
    }

    private static void assertThatItIsLost(CompletableFuture<MvcTestResult> completion) {
        assertThat(completion.join())
                .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                .bodyJson()
                .isLenientlyEqualTo("{\"title\":\"Lock lost\", \"lock\":\"/order-stats\"}");
    }

    /** Raises the fence as a transaction of another instance that acquired the lock in the meantime; returns its token. */
    private String beginElsewhere() throws InterruptedException {
        try (InMemoryLockRegistry elsewhere = cluster.join();
                LockHandle handle = elsewhere.lock("/order-stats").acquire()) {
            jdbc.sql("merge into zk_lock_fence (lock_name, token) key (lock_name) values (:lock, :token)")
                    .param("lock", "/order-stats")
                    .param("token", handle.fencingToken().value())
                    .update();
            return handle.fencingToken().toString();
        }
    }

    private AbstractJsonContentAssert<?> assertThatStatisticsOf(String day) {
        return assertThat(customer.get("/statistics/check?day=" + day))
                .hasStatusOk()
                .bodyJson();
    }
}
