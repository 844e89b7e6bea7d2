package io.github.zklock.docs.fencing;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.LocalDate;

@Entity
class DailyReport {

    @Id
    LocalDate reportDay = LocalDate.EPOCH;

    long total;

    @Version
    long version;

    long fence;

    /** For Hibernate. */
    protected DailyReport() {}

    DailyReport(LocalDate reportDay) {
        this.reportDay = reportDay;
    }
}
