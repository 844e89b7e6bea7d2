package com.example.ordershop.job;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The latest runs of the job, whichever instance they were on. */
@Repository
public class JobRuns {

    private static final int KEPT = 20;

    private final JdbcClient jdbc;

    JobRuns(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Latest first. */
    public List<JobRun> latest() {
        return jdbc.sql("select instance, ran_at, open_orders from job_run order by id desc limit :kept")
                .param("kept", KEPT)
                .query((row, number) -> new JobRun(
                        row.getString("instance"),
                        row.getObject("ran_at", OffsetDateTime.class).toInstant(),
                        row.getLong("open_orders")))
                .list();
    }

    @Transactional
    void add(JobRun run) {
        jdbc.sql("insert into job_run (instance, ran_at, open_orders) values (:instance, :at, :openOrders)")
                .param("instance", run.instance())
                .param("at", utc(run.at()))
                .param("openOrders", run.openOrders())
                .update();
        jdbc.sql("delete from job_run where id <= (select max(id) from job_run) - :kept")
                .param("kept", KEPT)
                .update();
    }

    private static OffsetDateTime utc(Instant at) {
        return at.atOffset(ZoneOffset.UTC);
    }
}
