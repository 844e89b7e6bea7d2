package com.example.ordershop.job;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The latest 20 runs of the job on all instances. */
@Repository
public class JobRunRepository {

    public record JobRun(String instance, Instant at, long openOrders) {}

    private final JdbcClient jdbc;

    JobRunRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the runs, latest first. */
    public List<JobRun> latest() {
        return jdbc.sql("select instance, ran_at, open_orders from job_run order by id desc limit 20")
                .query((row, number) -> new JobRun(
                        row.getString("instance"),
                        row.getObject("ran_at", OffsetDateTime.class).toInstant(),
                        row.getLong("open_orders")))
                .list();
    }

    @Transactional
    void add(String instance) {
        jdbc.sql("""
                        insert into job_run (instance, ran_at, open_orders)
                        select :instance, :at, count(*) from orders where not completed""")
                .param("instance", instance)
                .param("at", OffsetDateTime.now(ZoneOffset.UTC))
                .update();
        jdbc.sql("delete from job_run where id <= (select max(id) from job_run) - 20")
                .update();
    }
}
