package com.example.ordershop.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.Customer;
import com.example.ordershop.ShopTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@ShopTest
class StatisticsTest {

    @Autowired
    MockMvcTester http;

    @Autowired
    JdbcClient jdbc;

    Customer customer;

    @BeforeEach
    void createCustomer() {
        customer = new Customer(http);
    }

    @Test
    void statisticsCountEachCompletedOrder() {
        customer.complete(customer.orderedTea("2005-01-01"));
        customer.complete(customer.orderedTea("2005-01-01"));
        customer.orderedTea("2005-01-01");

        assertThat(customer.get("/statistics?day=2005-01-01"))
                .hasStatusOk()
                .bodyJson()
                .isLenientlyEqualTo("""
                [{"product":"tea", "orders":2, "amountCents":1400}]""");
    }

    @Test
    void orderIsNotCountedUnderATokenThatIsLowerThanThatOfALaterHolder() {
        customer.complete(customer.orderedTea("2005-01-02"));
        long late = customer.orderedTea("2005-01-02");
        setTokenOfLatestHolder(Long.MAX_VALUE);

        assertThat(customer.complete(late))
                .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                .bodyJson()
                .isLenientlyEqualTo("""
                {"title":"Lock lost", "detail":"Look whether the change was made before you try again."}""");

        assertThat(customer.get("/statistics?day=2005-01-02")).bodyJson().isLenientlyEqualTo("""
                [{"orders":1}]""");
        setTokenOfLatestHolder(0);
        assertThat(customer.complete(late)).hasStatusOk();
    }

    private void setTokenOfLatestHolder(long token) {
        jdbc.sql("update zk_lock_fence set token = ? where lock_name = '/order-stats'")
                .param(token)
                .update();
    }
}
