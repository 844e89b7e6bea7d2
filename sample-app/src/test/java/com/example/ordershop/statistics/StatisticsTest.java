package com.example.ordershop.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.example.ordershop.Customer;
import com.example.ordershop.ShopTest;
import io.github.zklock.FencingToken;
import java.time.LocalDate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@ShopTest
class StatisticsTest {

    @Autowired
    MockMvcTester http;

    @Autowired
    StatisticsRepository rows;

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
    void holderThatWasOvertakenCanNeitherWriteNorClaim() {
        LocalDate day = LocalDate.parse("2005-01-02");
        Sale sale = new Sale(customer.orderedTea("2005-01-02"), day, "tea", 700);
        FencingToken older = new FencingToken(1);
        FencingToken later = new FencingToken(2);
        StatisticsRow computed = rows.claim(day, "tea", older).plus(sale);
        StatisticsRow read = rows.claim(day, "tea", later);

        assertThatExceptionOfType(StaleWriteException.class).isThrownBy(() -> rows.write(computed, sale, older));
        assertThatExceptionOfType(StaleWriteException.class).isThrownBy(() -> rows.claim(day, "tea", older));

        rows.write(read.plus(sale), sale, later);
        assertThat(rows.ofDay(day)).singleElement().isEqualTo(new StatisticsRow(day, "tea", 1, 700));
    }
}
