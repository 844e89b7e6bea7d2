package io.github.zklock.docs.fencing;

import java.time.LocalDate;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.transaction.annotation.Transactional;

// snippet:repository
interface DailyReports extends JpaRepository<DailyReport, LocalDate> {

    @Modifying(flushAutomatically = true, clearAutomatically = true)
    @Transactional
    @Query("update versioned DailyReport r set r.total = :total, r.fence = :token"
            + " where r.reportDay = :day and r.fence < :token")
    int write(LocalDate day, long total, long token);
}
// end:repository
