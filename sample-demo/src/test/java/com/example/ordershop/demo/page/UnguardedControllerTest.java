package com.example.ordershop.demo.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.Customer;
import com.example.ordershop.ShopTest;
import io.github.zklock.test.LockRecording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@ShopTest
class UnguardedControllerTest {

    @Autowired
    MockMvcTester http;

    @Autowired
    LockRecording recording;

    Customer customer;

    @BeforeEach
    void createCustomer() {
        customer = new Customer(http);
    }

    @Test
    void completionWithoutLockAcquiresNoLock() {
        long order = customer.orderedTea("2004-01-01");

        MvcTestResult completed = completeWithoutLock(order);

        assertThat(completed).hasStatusOk().bodyJson().extractingPath("$.token").isNull();
        assertThat(recording.taken()).isEmpty();
    }

    @Test
    void orderThatIsAlreadyCompletedIsAConflict() {
        long order = customer.orderedTea("2004-01-01");
        assertThat(customer.complete(order)).hasStatusOk();

        assertThat(completeWithoutLock(order)).hasStatus(HttpStatus.CONFLICT);
    }

    @Test
    void unknownOrderIsNotFound() {
        assertThat(completeWithoutLock(987_654)).hasStatus(HttpStatus.NOT_FOUND);
    }

    private MvcTestResult completeWithoutLock(long order) {
        return customer.post("/orders/" + order + "/complete-without-lock", "");
    }
}
