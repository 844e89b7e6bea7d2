package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.OncePer;
import io.github.zklock.annotation.RunOncePer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A method that runs once per window, called within a transaction. */
class OncePerInTransactionTest extends TransactionTest {

    private static ConfigurableApplicationContext application;

    static class Jobs {

        private final AtomicInteger runs = new AtomicInteger();

        @RunOncePer(window = "1h", name = "/once/#{#name}", counting = OncePer.Counting.SUCCEEDED)
        public void close(String name) {
            runs.incrementAndGet();
        }

        public int runs() {
            return runs.get();
        }
    }

    private final Jobs jobs = application.getBean(Jobs.class);
    private final int before = jobs.runs();
    private final TransactionTemplate transaction =
            new TransactionTemplate(application.getBean(PlatformTransactionManager.class));

    @BeforeAll
    static void start() {
        application = start(Jobs.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void runOfATransactionThatIsRolledBackHasNotSucceeded() {
        transaction.executeWithoutResult(status -> {
            jobs.close("rolled-back");
            status.setRollbackOnly();
        });

        transaction.executeWithoutResult(status -> jobs.close("rolled-back"));
        jobs.close("rolled-back");

        assertThat(jobs.runs() - before).isEqualTo(2);
    }

    @Test
    void secondCallInOneTransactionIsSkipped() {
        transaction.executeWithoutResult(status -> {
            jobs.close("twice");
            jobs.close("twice");
        });

        assertThat(jobs.runs() - before).isOne();
    }

    @Test
    void runOfATransactionThatCommitsHasSucceeded() throws InterruptedException {
        transaction.executeWithoutResult(status -> jobs.close("committed"));
        awaitFreeForOthers("/once/committed");

        jobs.close("committed");

        assertThat(jobs.runs() - before).isOne();
    }
}
