package com.example.ordershop.order;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.Customer;
import com.example.ordershop.ShopTest;
import io.github.zklock.LockHandle;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.LockRecording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@ShopTest
class OrdersTest {

    private static final String DAY = "2001-01-01";

    @Autowired
    MockMvcTester http;

    @Autowired
    InMemoryLockCluster cluster;

    @Autowired
    LockRecording recording;

    Customer customer;

    @BeforeEach
    void enter() {
        customer = new Customer(http);
    }

    @Test
    void orderIsPlacedForTheDayAtThePriceOfTheShop() {
        MvcTestResult placed = customer.order("{\"day\":\"2001-01-02\", \"product\":\"tea\", \"quantity\":2}");

        assertThat(placed).hasStatus(HttpStatus.CREATED).bodyJson().isLenientlyEqualTo("""
                {"day":"2001-01-02", "product":"tea", "quantity":2, "amountCents":700, "completed":false}""");
    }

    @Test
    void unknownProductIsReportedWithTheKnownProducts() {
        MvcTestResult refused = customer.order("{\"product\":\"tee\", \"quantity\":2}");

        assertThat(refused)
                .hasStatus(HttpStatus.BAD_REQUEST)
                .bodyJson()
                .extractingPath("$.detail")
                .isEqualTo("product 'tee' is unknown: the shop has cake, coffee, tea");
    }

    @Test
    void quantityOutOfRangeIsNamedWithTheRange() {
        MvcTestResult refused = customer.order("{\"product\":\"tea\", \"quantity\":0}");

        assertThat(refused)
                .hasStatus(HttpStatus.BAD_REQUEST)
                .bodyJson()
                .extractingPath("$.detail")
                .isEqualTo("quantity is 0: it must be between 1 and 100");
    }

    @Test
    void missingQuantityIsNamed() {
        MvcTestResult refused = customer.order("{\"product\":\"tea\"}");

        assertThat(refused)
                .hasStatus(HttpStatus.BAD_REQUEST)
                .bodyJson()
                .extractingPath("$.detail")
                .asString()
                .startsWith("quantity is missing");
    }

    @Test
    void valueOfAnotherTypeIsNamedByItsField() {
        MvcTestResult refused = customer.order("{\"product\":\"tea\", \"quantity\":\"two\"}");

        assertThat(refused)
                .hasStatus(HttpStatus.BAD_REQUEST)
                .bodyJson()
                .extractingPath("$.detail")
                .asString()
                .startsWith("quantity cannot be read")
                .contains("two");
    }

    @Test
    void orderIsCompletedUnderItsOwnLockAndThatOfTheStatistics() {
        long order = customer.orderedTea(DAY);

        MvcTestResult completed = customer.complete(order);

        assertThat(completed)
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.token")
                .asString()
                .matches("\\d+");
        assertThat(recording.taken()).containsExactly("/orders/" + order, "/order-stats");
    }

    @Test
    void orderThatIsCompletedAlreadyIsAConflict() {
        long order = customer.orderedTea(DAY);
        customer.complete(order);

        assertThat(customer.complete(order)).hasStatus(HttpStatus.CONFLICT);
    }

    @Test
    void unknownOrderIsNotFound() {
        assertThat(customer.complete(987_654))
                .hasStatus(HttpStatus.NOT_FOUND)
                .bodyJson()
                .extractingPath("$.detail")
                .isEqualTo("There is no order 987654");
    }

    @Test
    void orderThatAnotherInstanceCompletesIsBusy() throws Exception {
        long order = customer.orderedTea(DAY);

        try (LockHandle elsewhere = cluster.join().lock("/orders/" + order).acquire()) {
            MvcTestResult busy = customer.complete(order);

            assertThat(busy).hasStatus(HttpStatus.SERVICE_UNAVAILABLE).hasHeader(HttpHeaders.RETRY_AFTER, "1");
            assertThat(busy).bodyJson().isLenientlyEqualTo("""
                    {"title":"Busy", "detail":"Another request works on this. Try again.", "lock":"/orders/%d"}""".formatted(order));
        }
    }

    @Test
    void nothingIsCompletedDuringAnOutage() {
        long order = customer.orderedTea(DAY);
        cluster.outage();

        MvcTestResult unavailable = customer.complete(order);

        assertThat(unavailable)
                .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                .doesNotContainHeader(HttpHeaders.RETRY_AFTER)
                .bodyJson()
                .isLenientlyEqualTo("""
                        {"title":"Locks are not available", "detail":"Locks cannot be acquired at the moment. Try again later."}""");
        cluster.heal();
        assertThat(customer.complete(order)).hasStatusOk();
    }
}
