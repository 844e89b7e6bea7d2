package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterJob;
import io.github.zklock.JobNotDueException;
import io.github.zklock.LockContext;
import io.github.zklock.LockRegistry;
import io.github.zklock.OncePer;
import io.github.zklock.annotation.CountedRuns;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.config.TestApplication;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Annotated methods that run once per window. */
class OncePerWindowTest extends AopTest {

    private static final OncePer HOURLY = OncePer.of(Duration.ofHours(1));

    static class Jobs {

        private final AtomicInteger runs = new AtomicInteger();

        public int runs() {
            return runs.get();
        }

        @DistributedLock(value = "/once/closing", oncePer = "${closing.window:1h}", onBusy = OnBusy.SKIP)
        public void close() {
            LockContext.assertHeld("/once/closing");
            runs.incrementAndGet();
        }

        @DistributedLock(value = "/once/strict", oncePer = "1h", onBusy = OnBusy.THROW)
        public void closeOrFail() {
            runs.incrementAndGet();
        }

        @DistributedLock(
                value = "/once/#{#name}",
                oncePer = "1h",
                counting = CountedRuns.SUCCEEDED,
                onBusy = OnBusy.SKIP)
        public void attempt(String name, boolean succeeds) {
            runs.incrementAndGet();
            if (!succeeds) {
                throw new IllegalStateException("no disk");
            }
        }

        @DistributedLock(value = "/once/future", oncePer = "1d", alignedIn = "UTC", onBusy = OnBusy.SKIP)
        public CompletableFuture<String> later() {
            runs.incrementAndGet();
            return CompletableFuture.completedFuture("ran");
        }

        @DistributedLock(value = "/once/mono", oncePer = "1h", counting = CountedRuns.SUCCEEDED, onBusy = OnBusy.SKIP)
        public Mono<String> mono(boolean succeeds) {
            return Mono.fromSupplier(() -> {
                runs.incrementAndGet();
                if (!succeeds) {
                    throw new IllegalStateException("no disk");
                }
                return "ran";
            });
        }
    }

    @Test
    void methodRunsOncePerWindowInAllProcesses() throws Exception {
        try (var others = TestApplication.registry()) {
            TestApplication.of(Jobs.class).run(context -> {
                Jobs jobs = context.getBean(Jobs.class);
                jobs.close();
                jobs.close();

                assertThat(jobs.runs()).isEqualTo(1);
                ClusterJob there = others.job("/once/closing", HOURLY);
                assertThat(there.tryBegin()).isEmpty();
                assertThat(there.lastRun()).isPresent();
                assertThat(context.getBean(LockRegistry.class).inspector().held())
                        .isEmpty();
            });
            TestApplication.of(Jobs.class).run(restarted -> {
                Jobs jobs = restarted.getBean(Jobs.class);
                jobs.close();
                assertThat(jobs.runs()).isZero();
            });
        }
    }

    @Test
    void callThatIsNotDueIsToldSo() {
        TestApplication.of(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            jobs.closeOrFail();

            assertThatExceptionOfType(JobNotDueException.class)
                    .isThrownBy(jobs::closeOrFail)
                    .withMessageContaining("Job '/once/strict' not begun: it is not due");
            assertThat(jobs.runs()).isEqualTo(1);
        });
    }

    @Test
    void failedRunIsRepeatedIfOnlySuccessCounts() {
        TestApplication.of(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> jobs.attempt("attempts", false))
                    .withMessage("no disk");

            jobs.attempt("attempts", true);
            jobs.attempt("attempts", true);

            assertThat(jobs.runs()).isEqualTo(2);
        });
    }

    @Test
    void futureIsSkipped() {
        TestApplication.of(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);

            assertThat(jobs.later().get()).isEqualTo("ran");
            assertThat(jobs.later().get()).isNull();
            assertThat(jobs.runs()).isEqualTo(1);
        });
    }

    @Test
    void reactiveResultCountsWhenItSucceeds() {
        TestApplication.of(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> jobs.mono(false).block(PATIENCE));

            assertThat(jobs.mono(true).block(PATIENCE)).isEqualTo("ran");
            assertThat(jobs.mono(true).block(PATIENCE)).isNull();
            assertThat(jobs.runs()).isEqualTo(2);
        });
    }
}
