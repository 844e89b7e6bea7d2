package io.github.zklock.docs.guide.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.LockRecording;
import io.github.zklock.test.autoconfigure.AutoConfigureZkLock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import reactor.core.publisher.Flux;

/** The services that the documents show do what is said of them. */
@SpringBootTest(properties = "zk.lock.wait-time=0")
@AutoConfigureZkLock
class ShopServicesTest {

    private static final LocalDate DAY = LocalDate.of(2026, 11, 23);

    @Autowired
    OrderService orders;

    @Autowired
    OrderController controller;

    @Autowired
    LockErrors errors;

    @Autowired
    OrderStats stats;

    @Autowired
    OrderStatistics statistics;

    @Autowired
    ReactiveStats reactive;

    @Autowired
    Stock stock;

    @Autowired
    LossAlarm alarm;

    @Autowired
    LockRecording recording;

    @Autowired
    InMemoryLockCluster cluster;

    @Autowired
    LockRegistry locks;

    @Autowired
    JdbcClient jdbc;

    @Test
    void theFirstExampleRunsUnderItsLock() {
        statistics.recompute();

        assertThat(recording.taken()).containsExactly("/order-stats");
    }

    @Test
    void theLockOfAnOrderIsNamedAfterIt() {
        orders.complete(new Order(7, DAY, 500));

        assertThat(recording.taken()).containsExactly("/orders/7");
    }

    @Test
    void aRequestForAnOrderThatAnotherInstanceChangesIsToBeRepeated() throws Exception {
        try (LockHandle elsewhere = cluster.join().lock("/orders/9").acquire()) {
            assertThat(complete(9)).hasStatus(HttpStatus.SERVICE_UNAVAILABLE).hasHeader(HttpHeaders.RETRY_AFTER, "1");
            assertThat(complete(10)).hasStatusOk();
        }

        assertThat(complete(9)).hasStatusOk();
    }

    @Test
    void aRequestDuringAnOutageGetsServiceUnavailable() {
        cluster.outage(); // healed after the test

        assertThat(complete(9)).hasStatus(HttpStatus.SERVICE_UNAVAILABLE).doesNotContainHeader(HttpHeaders.RETRY_AFTER);
    }

    private MvcTestResult complete(long order) {
        return MockMvcTester.of(
                        List.of(controller),
                        mvc -> mvc.setControllerAdvice(errors).build())
                .post()
                .uri("/orders/{id}/complete", order)
                .exchange();
    }

    @Test
    void aTotalIsWrittenWithTheTokenAndOnlyBelowIt() {
        jdbc.sql("insert into orders values (42, ?, 500, false)").param(DAY).update();
        jdbc.sql("insert into order_stats values (?, 0, 0)").param(DAY).update();
        orders.complete(new Order(42, DAY, 500));

        stats.recompute(DAY, null);

        assertThat(jdbc.sql("select total from order_stats where order_day = ? and fence > 0")
                        .param(DAY)
                        .query(Long.class)
                        .single())
                .isEqualTo(500);
        jdbc.sql("update order_stats set fence = ? where order_day = ?")
                .params(Long.MAX_VALUE, DAY)
                .update();
        assertThatIllegalStateException()
                .isThrownBy(() -> stats.recompute(DAY, null))
                .withMessageContaining("later holder");
    }

    @Test
    void reactiveAndAsynchronousResultsAreUnderTheirLocks() throws Exception {
        assertThat(reactive.add(Flux.just(1L, 2L)).block(Duration.ofMinutes(1))).isEqualTo(3);
        assertThat(reactive.export("2026-11-23").get(1, TimeUnit.MINUTES)).isEqualTo("orders of 2026-11-23");

        assertThat(recording.taken()).containsExactly("/order-stats", "/exports/2026-11-23");
    }

    @Test
    void aStockIsTakenUnderTheLockOfItsProduct() throws Exception {
        assertThat(List.of(stock.take("tea"), stock.take("tea"), stock.take("tea")))
                .containsExactly(true, true, false);

        assertThat(recording.taken()).containsExactly("/stock/tea", "/stock/tea", "/stock/tea");
    }

    @Test
    void aLossIsAnEventOfTheApplication() throws Exception {
        LockHandle handle = locks.lock("/orders/8").acquire();

        cluster.forceOut("/orders/8");

        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() ->
                        assertThat(alarm.pages()).singleElement().asString().startsWith("Lock /orders/8 lost: "));
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::close);
    }
}
