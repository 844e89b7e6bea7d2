package com.example.ordershop.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.Customer;
import com.example.ordershop.ShopTest;
import io.github.zklock.test.LockRecording;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@ShopTest
class ExporterTest {

    @Autowired
    MockMvcTester http;

    @Autowired
    LockRecording recording;

    @Test
    void ordersOfTheDayAreExportedUnderTheLockOfThatDay() throws Exception {
        long order = new Customer(http).orderedTea("2003-01-01");

        MvcTestResult exported = new Customer(http).post("/exports/2003-01-01", "");

        assertThat(exported).hasStatusOk().bodyJson().isLenientlyEqualTo("{\"day\":\"2003-01-01\", \"orders\":1}");
        assertThat(Files.readAllLines(Path.of("target/exports/2003-01-01.csv")))
                .containsExactly("order,product,quantity,cents,completed", order + ",tea,2,700,false");
        assertThat(recording.taken()).containsExactly("/exports/2003-01-01");
    }

    @Test
    void invalidDayIsRejectedByName() {
        MvcTestResult refused = new Customer(http).post("/exports/yesterday", "");

        assertThat(refused)
                .hasStatus(HttpStatus.BAD_REQUEST)
                .bodyJson()
                .extractingPath("$.detail")
                .asString()
                .contains("day", "yesterday");
    }
}
