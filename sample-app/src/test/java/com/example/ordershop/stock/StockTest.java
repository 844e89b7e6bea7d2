package com.example.ordershop.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.example.ordershop.Customer;
import com.example.ordershop.ShopTest;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.LockRecording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@ShopTest
class StockTest {

    @Autowired
    MockMvcTester http;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    LockRegistry locks;

    @Autowired
    StockService stock;

    @Autowired
    InMemoryLockCluster cluster;

    @Autowired
    LockRecording recording;

    Customer customer;

    @BeforeEach
    void fillTheShelf() {
        customer = new Customer(http);
        jdbc.sql("update product set left_over = 10").update();
    }

    @Test
    void piecesAreTakenUnderTheLockOfTheirProduct() {
        MvcTestResult taken = customer.post("/stock/tea/take", "{\"quantity\":3}");

        assertThat(taken).hasStatusOk().bodyJson().isLenientlyEqualTo("{\"product\":\"tea\", \"left\":7}");
        assertThat(recording.taken()).containsExactly("/stock/tea");
    }

    @Test
    void quantityAboveTheStockIsAConflictThatChangesNothing() {
        MvcTestResult refused = customer.post("/stock/tea/take", "{\"quantity\":11}");

        assertThat(refused)
                .hasStatus(HttpStatus.CONFLICT)
                .bodyJson()
                .extractingPath("$.detail")
                .isEqualTo("There are 10 pieces of tea left, not 11");
        assertThat(stock.product("tea").left()).isEqualTo(10);
    }

    @Test
    void requestThatWaitsTooLongForAnotherInstanceFails() throws Exception {
        try (LockHandle elsewhere = cluster.join().lock("/stock/tea").acquire()) {
            assertThat(customer.post("/stock/tea/take", "{\"quantity\":1}"))
                    .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                    .containsHeader(HttpHeaders.RETRY_AFTER);
        }
    }

    @Test
    void holderThatWasOvertakenCanNeitherWriteNorClaim() throws Exception {
        String cake = "cake";
        LockHandle old = locks.lock("/stock/cake").acquire();
        int before = stock.claim(cake, old);
        cluster.forceOut("/stock/cake");
        try (LockHandle newer = cluster.join().lock("/stock/cake").acquire()) {
            int read = stock.claim(cake, newer);

            // between the read and the write of the later holder: if this older write succeeded, the later one would
            // overwrite it
            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> stock.write(cake, before - 2, old));

            stock.write(cake, read - 1, newer);
        }
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> stock.claim(cake, old));
        assertThat(stock.product("cake").left()).isEqualTo(before - 1);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(old::close);
    }
}
