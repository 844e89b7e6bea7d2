package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterJob;
import io.github.zklock.JobNotDueException;
import io.github.zklock.LockContext;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.OncePer;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.RunOncePer;
import io.github.zklock.config.TestApplication;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;
import reactor.core.publisher.Mono;

/** Annotated methods that run once per window. */
class RunOncePerTest extends AopTest {

    private static final OncePer HOURLY = OncePer.of(Duration.ofHours(1));

    @RunOncePer(window = "1h")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Hourly {
        @AliasFor(annotation = RunOncePer.class, attribute = "name")
        String value();
    }

    interface Regional {

        @RunOncePer(window = "1h", name = "/once/region/#{#region}")
        boolean ofInterface(String region);
    }

    static class Jobs implements Regional {

        private final AtomicInteger runs = new AtomicInteger();

        public int runs() {
            return runs.get();
        }

        @RunOncePer(window = "${closing.window:1h}", name = "/once/closing")
        public void close() {
            LockContext.assertHeld("/once/closing");
            runs.incrementAndGet();
        }

        @Hourly("/once/meta")
        public boolean ofMetaAnnotation() {
            return runs.incrementAndGet() > 0;
        }

        @Override
        public boolean ofInterface(String region) {
            return runs.incrementAndGet() > 0;
        }

        @RunOncePer(window = "50ms", tolerance = "${no.tolerance:0}", name = "/once/short")
        public boolean often() {
            return true;
        }

        @RunOncePer(window = "1h", name = "/once/fallback", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public String orElse() {
            return "ran";
        }

        String instead() {
            return "fallback";
        }

        @RunOncePer(window = "1h", name = "/once/reason", onBusy = OnBusy.FALLBACK, fallback = "insteadFor")
        public String orElseFor() {
            return "ran";
        }

        String insteadFor(LockException reason) {
            return reason.getClass().getSimpleName();
        }

        @RunOncePer(window = "1h", name = "/once/strict", onBusy = OnBusy.THROW)
        public void closeOrFail() {
            runs.incrementAndGet();
        }

        @RunOncePer(window = "1h", name = "/once/#{#name}", counting = OncePer.Counting.SUCCEEDED)
        public void attempt(String name, boolean succeeds) {
            runs.incrementAndGet();
            if (!succeeds) {
                throw new IllegalStateException("no disk");
            }
        }

        @RunOncePer(window = "1d", name = "/once/future", alignedIn = "UTC")
        public CompletableFuture<String> later() {
            runs.incrementAndGet();
            return CompletableFuture.completedFuture("ran");
        }

        @RunOncePer(window = "1h", name = "/once/mono", counting = OncePer.Counting.SUCCEEDED)
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
    void annotationIsFoundWhereTheOneOfALockIs() {
        TestApplication.of(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);

            assertThat(jobs.ofMetaAnnotation()).isTrue();
            assertThat(jobs.ofMetaAnnotation()).isFalse();
            assertThat(jobs.ofInterface("north")).isTrue();
            assertThat(jobs.ofInterface("north")).isFalse();
            assertThat(jobs.ofInterface("south")).isTrue();
        });
    }

    @Test
    void jobThatRunsElsewhereIsNotAwaited() throws Exception {
        try (var others = TestApplication.registry();
                LockHandle running = others.lock("/once/elsewhere").acquire()) {
            TestApplication.of(Jobs.class).run(context -> {
                Jobs jobs = context.getBean(Jobs.class);
                jobs.attempt("elsewhere", true);
                assertThat(jobs.runs()).isZero();
            });
            assertThat(running.isHeld()).isTrue();
        }
    }

    @Test
    void shortWindowIsOverWhenItIs() {
        TestApplication.of(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThat(jobs.often()).isTrue();

            Awaitility.await().atMost(PATIENCE).until(jobs::often);
        });
    }

    @Test
    void fallbackIsCalledInstead() {
        TestApplication.of(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);

            assertThat(jobs.orElse()).isEqualTo("ran");
            assertThat(jobs.orElse()).isEqualTo("fallback");
        });
    }

    @Test
    void fallbackGetsTheReason() throws Exception {
        try (var others = TestApplication.registry()) {
            TestApplication.of(Jobs.class).run(context -> {
                Jobs jobs = context.getBean(Jobs.class);
                try (LockHandle running = others.lock("/once/reason").acquire()) {
                    assertThat(jobs.orElseFor()).isEqualTo("LockTimeoutException");
                    assertThat(running.isHeld()).isTrue();
                }
                assertThat(jobs.orElseFor()).isEqualTo("ran");
                assertThat(jobs.orElseFor()).isEqualTo("JobNotDueException");
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
