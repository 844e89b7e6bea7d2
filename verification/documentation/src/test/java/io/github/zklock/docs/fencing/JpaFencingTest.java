package io.github.zklock.docs.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.FencingToken;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Entities with a fence, written by Hibernate. */
@OnFencingApplication
class JpaFencingTest {

    private static final long OF_THE_NEXT = 12;

    @Autowired
    Reporting reporting;

    @Autowired
    DailyReports reports;

    @Autowired
    PausedOrders orders;

    @Autowired
    OtherProcess other;

    @Test
    void aHolderWrites() throws InterruptedException {
        LocalDate day = newDay(1);

        reporting.report(day);

        assertThat(totalOf(day)).isEqualTo(PausedOrders.TOTAL);
    }

    @Test
    void aHolderThatWasOvertakenWritesNothing() {
        LocalDate day = newDay(2);
        orders.meanwhile(() -> other.takeOver("/reports/" + day, token -> write(day, token)));

        assertThatExceptionOfType(StaleWriteException.class).isThrownBy(() -> reporting.report(day));

        assertThat(totalOf(day)).isEqualTo(OF_THE_NEXT);
    }

    @Test
    void aVersionAloneLetsAStaleHolderWriteThatReadsLate() {
        LocalDate day = newDay(3);
        other.work("/reports/" + day, token -> write(day, token));

        // overtaken before it had read: what it reads is the newest version, so nothing stops it
        DailyReport readLate = reports.findById(day).orElseThrow();
        readLate.total = PausedOrders.TOTAL;
        reports.saveAndFlush(readLate);

        assertThat(totalOf(day)).isEqualTo(PausedOrders.TOTAL);
    }

    @Test
    void aFencedWriteRaisesTheVersionToo() {
        LocalDate day = newDay(4);
        long before = reports.findById(day).orElseThrow().version;

        other.work("/reports/" + day, token -> write(day, token));

        assertThat(reports.findById(day).orElseThrow().version).isGreaterThan(before);
    }

    private LocalDate newDay(int dayOfMonth) {
        LocalDate day = LocalDate.of(2026, 2, dayOfMonth);
        reports.saveAndFlush(new DailyReport(day));
        return day;
    }

    private void write(LocalDate day, FencingToken token) {
        assertThat(reports.write(day, OF_THE_NEXT, token.value())).isOne();
    }

    private long totalOf(LocalDate day) {
        return reports.findById(day).orElseThrow().total;
    }
}
