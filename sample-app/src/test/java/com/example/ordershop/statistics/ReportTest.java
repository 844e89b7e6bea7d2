package com.example.ordershop.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.example.ordershop.Customer;
import com.example.ordershop.ShopTest;
import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.test.InMemoryLockCluster;
import java.time.LocalDate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@ShopTest
class ReportTest {

    @Autowired
    MockMvcTester http;

    @Autowired
    ReportService reports;

    @Autowired
    InMemoryLockCluster cluster;

    Customer customer;

    @BeforeEach
    void enter() {
        customer = new Customer(http);
    }

    @Test
    void closedDayMovesFromTheRunningTotalsToTheClosedDays() {
        customer.complete(customer.orderedTea("1999-12-31"));

        reports.closeDaysBefore(LocalDate.parse("2000-01-01"));

        assertThat(customer.get("/statistics/report"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.closed[0]")
                .asMap()
                .containsEntry("day", "1999-12-31")
                .containsEntry("amountCents", 700);
    }

    @Test
    void lateOrderOfAClosedDayIsInTheNextClosing() {
        customer.complete(customer.orderedTea("1998-12-31"));
        reports.closeDaysBefore(LocalDate.parse("1999-01-01"));
        customer.complete(customer.orderedTea("1998-12-31"));

        reports.closeDaysBefore(LocalDate.parse("1999-01-01"));

        assertThat(customer.get("/statistics/report"))
                .bodyJson()
                .extractingPath("$.closed[?(@.day == '1998-12-31')].orders")
                .asArray()
                .containsExactly(2);
    }

    @Test
    void reportIsMadeWhileAnotherInstanceMakesOne() throws Exception {
        try (LockHandle elsewhere =
                cluster.join().readWriteLock("/report").readLock().acquire()) {
            assertThat(customer.get("/statistics/report")).hasStatusOk();
        }
    }

    @Test
    void reportIsNotMadeWhileAnotherInstanceClosesADay() throws Exception {
        try (LockHandle elsewhere =
                cluster.join().readWriteLock("/report").writeLock().acquire()) {
            assertThat(customer.get("/statistics/report")).hasStatus(HttpStatus.SERVICE_UNAVAILABLE);
        }
    }

    @Test
    void dayIsNotClosedWhileAnotherInstanceMakesAReport() throws Exception {
        try (LockHandle elsewhere =
                cluster.join().readWriteLock("/report").readLock().acquire()) {
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> reports.closeDaysBefore(LocalDate.parse("1990-01-01")));
        }
    }
}
