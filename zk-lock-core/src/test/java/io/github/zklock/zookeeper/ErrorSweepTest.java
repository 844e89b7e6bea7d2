package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.LockEvent;
import io.github.zklock.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** L19: an Error at any request of acquire, wait, hand-over, try and release leaves nobody waiting and nothing behind. */
class ErrorSweepTest {

    private static final LockName LOCK = LockName.of("/swept");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    static Stream<HandOff> policies() {
        HandOff bounded = HandOff.bounded(1, Duration.ofMillis(1));
        return Stream.of(HandOff.strict(), bounded, bounded.lingering(Duration.ofSeconds(3)));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void anErrorAtAnyRequestLeavesNobodyWaitingAndNothingBehind(HandOff handOff) {
        int swept = 0;
        boolean failed = true;
        while (failed) {
            swept++;
            failed = runWithAnErrorAt(swept, handOff);
        }

        assertThat(swept).isGreaterThan(10);
    }

    private static boolean runWithAnErrorAt(int request, HandOff handOff) {
        Run run = new Run(request, handOff);
        for (int i = 0; i < 4; i++) {
            run.ask(Patience.atMost(LIMIT, LIMIT));
        }
        run.ask(Patience.onlyAsking(LIMIT));
        run.cancelLast();
        run.pass(Duration.ofSeconds(2));
        run.ask(Patience.onlyAsking(LIMIT));
        run.pass(Duration.ofMinutes(2));

        assertThat(run.claims).as("claims with an error at request %s", request).noneMatch(Claim::isOpen);
        if (!run.wire.hasFailed()) {
            return false;
        }
        assertThat(run.ask(Patience.atMost(LIMIT, LIMIT)).granted)
                .as("granted after an error at request %s", request)
                .isTrue();
        run.pass(Duration.ofMinutes(2));
        assertThat(run.engine.isQuiet())
                .as("quiet after an error at request %s", request)
                .isTrue();
        assertThat(run.memory.isEmpty())
                .as("no node after an error at request %s", request)
                .isTrue();
        return true;
    }

    /** One engine, and askers who give back what they get a second later. */
    private static final class Run {

        private final Loop loop = new Loop(Runnable::run);
        private final ManualTime time = new ManualTime(loop);
        private final MemoryWire memory = new MemoryWire(loop);
        private final FailingWire wire;
        private final Engine engine;
        private final List<Claim> claims = new ArrayList<>();

        Run(int failing, HandOff handOff) {
            wire = new FailingWire(memory, failing);
            AtomicLong ids = new AtomicLong();
            Settings settings = new Settings(
                    "/locks",
                    handOff,
                    Duration.ofSeconds(1),
                    null,
                    null,
                    Duration.ofMillis(1),
                    Duration.ofMillis(1),
                    new OwnerDescription("instance", "host", 1));
            engine = new Engine(settings, wire, time, new Silence(), () -> new UUID(0, ids.incrementAndGet()));
            loop.execute(engine::start);
        }

        Asker ask(Patience patience) {
            Asker asker = new Asker();
            Claim claim = new Claim(LOCK, patience, "asker", null, time.nanoTime(), asker);
            claims.add(claim);
            loop.execute(() -> engine.acquire(claim));
            return asker;
        }

        void cancelLast() {
            loop.execute(() -> engine.cancel(claims.get(claims.size() - 1)));
        }

        void pass(Duration duration) {
            for (long passed = 0; passed < duration.toMillis(); passed += 100) {
                time.advance(Duration.ofMillis(100).toNanos());
            }
        }

        private final class Asker implements Claim.Answer {

            private boolean granted;

            @Override
            public void granted(Turn turn) {
                granted = true;
                time.after(Duration.ofSeconds(1).toNanos(), () -> {
                    if (turn.dropHold()) {
                        engine.release(turn);
                    }
                });
            }

            @Override
            public void refused(Refusal refusal) {}
        }
    }

    private static final class Silence implements Notifier {
        @Override
        public void tell(LockEvent event) {}

        @Override
        public void lost(Turn turn) {}

        @Override
        public void released(Turn turn) {}
    }
}
