package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import io.github.zklock.FencingToken;
import io.github.zklock.Leadership;
import io.github.zklock.LockContext;
import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector.Held;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.OnClose;
import io.github.zklock.Registration;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.contract.ClusterFixture.Options;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a {@link Leadership} promises. */
public abstract class LeadershipContract extends Contract {

    @Test
    void onlyCandidateBecomesTheLeader() {
        Leadership leadership = candidate(member());
        assertThat(leadership.isLeader()).isFalse();
        assertThat(leadership.token()).isEmpty();

        leadership.start();

        awaitLeader(leadership);
        assertThat(leadership.name()).isEqualTo(LockName.of(name()));
        assertThat(registry().inspector().held())
                .extracting(Held::name, Held::token)
                .containsExactly(tuple(leadership.name(), leadership.token().orElseThrow()));
    }

    @Test
    void startOfAStartedCandidacyHasNoEffect() {
        Leadership leadership = started(member());

        leadership.start();

        awaitLeader(leadership);
        assertThat(cluster().queued(name())).isEqualTo(1);
    }

    @Test
    void closeOfTheLeaderMakesTheNextCandidateTheLeader() {
        Leadership first = leader(member());
        Leadership second = waitingBehind(first, join());
        FencingToken before = first.token().orElseThrow();

        first.close();

        assertThat(first.isLeader()).isFalse();
        awaitLeader(second);
        assertThat(second.token().orElseThrow()).isGreaterThan(before);
    }

    @Test
    void candidateThatIsClosedLeavesTheQueue() {
        Leadership first = leader(member());
        Leadership second = waitingBehind(first, join());

        second.close();

        awaitQueued(1);
        assertThat(first.isLeader()).isTrue();
    }

    @Test
    void leaderThatStepsDownIsACandidateAgainAfterThePause() {
        Leadership first = leader(member());
        Leadership second = waitingBehind(first, join());

        first.stepDown(SHORT);

        assertThat(first.isLeader()).isFalse();
        awaitLeader(second);
        awaitQueued(2);
        second.close();
        awaitLeader(first);
    }

    @Test
    void leaderThatStepsDownWithoutAPauseIsTheLastCandidate() {
        Leadership first = leader(member());
        Leadership second = waitingBehind(first, join());

        for (int i = 0; i < 3; i++) {
            first.stepDown(Duration.ZERO);
            awaitLeader(second);
            awaitQueued(2);
            second.stepDown(Duration.ZERO);
            awaitLeader(first);
            awaitQueued(2);
        }
    }

    @Test
    void leaderThatStepsDownKeepsNoSeatWhateverTheHandOff() {
        LockPolicy policy = LockPolicy.defaults();
        LockPolicy lingering = policy.handOff(policy.handOff().lingering(Duration.ofHours(1)));
        Leadership leadership = leader(join(Options.none().policy(name -> lingering)));

        leadership.stepDown(Duration.ofHours(1));

        awaitQueued(0);
    }

    @Test
    void longPauseIsEndedByClose() {
        Leadership first = leader(member());
        Leadership second = waitingBehind(first, join());

        first.stepDown(Duration.ofHours(1));

        awaitLeader(second);
        first.close();
        assertThat(cluster().queued(name())).isEqualTo(1);
    }

    @Test
    void stepDownOfACandidateHasNoEffect() {
        Leadership first = leader(member());
        Leadership second = waitingBehind(first, join());

        second.stepDown(Duration.ofHours(1));
        first.close();

        awaitLeader(second);
    }

    @Test
    void taskRunsInEachTermAndIsInterruptedAtItsEnd() {
        List<FencingToken> begun = new CopyOnWriteArrayList<>();
        AtomicInteger interrupted = new AtomicInteger();
        Leadership leadership = candidate(member());
        leadership.runWhileLeader(token -> {
            begun.add(token);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException expected) {
                interrupted.incrementAndGet();
            }
        });

        leadership.start();
        await().until(() -> begun.size() == 1);
        leadership.stepDown(Duration.ZERO);
        await().until(() -> begun.size() == 2);
        leadership.close();

        assertThat(interrupted).hasValue(2);
        assertThat(begun.get(1)).isGreaterThan(begun.get(0));
    }

    @Test
    void taskThatIsRegisteredDuringATermStartsAtOnce() throws Exception {
        Leadership leadership = leader(member());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);

        Registration registration = leadership.runWhileLeader(untilInterrupted(begun, interrupted));
        awaitZero(begun);
        registration.close();

        awaitZero(interrupted);
        assertThat(leadership.isLeader()).isTrue();
    }

    @Test
    void taskRunsInTheScopeOfTheLock() throws Exception {
        Leadership leadership = leader(member());
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        CountDownLatch ended = new CountDownLatch(1);

        leadership.runWhileLeader(token -> {
            try {
                LockContext.assertHeld(name());
                assertThat(LockContext.current(name()).orElseThrow().fencingToken())
                        .isEqualTo(token);
                registry().executeLocked(name(), handle -> handle.fencingToken());
            } catch (Throwable failure) {
                failures.add(failure);
            } finally {
                ended.countDown();
            }
        });

        awaitZero(ended);
        assertThat(failures).isEmpty();
        assertThat(leadership.isLeader()).isTrue();
    }

    @Test
    void leadershipIsNotGivenUpBeforeTheTaskHasEnded() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Leadership first = candidate(member());
        first.runWhileLeader(token -> {
            begun.countDown();
            awaitIgnoringInterrupts(end);
        });
        first.start();
        awaitZero(begun);
        Leadership second = waitingBehind(first, join());

        first.stepDown(Duration.ZERO);

        assertThat(first.isLeader()).isFalse();
        assertThat(lock().tryAcquire(BUSY)).isEmpty();
        assertThat(second.isLeader()).isFalse();
        end.countDown();
        awaitLeader(second);
    }

    @Test
    void failureOfATaskMakesAnotherCandidateTheLeader() {
        List<String> reasons = new CopyOnWriteArrayList<>();
        Leadership first = candidate(member());
        first.addListener(reasonsTo(reasons));
        first.start();
        awaitLeader(first);
        Leadership second = waitingBehind(first, join());

        first.runWhileLeader(token -> {
            throw new HostileException();
        });

        awaitLeader(second);
        await().until(() -> !reasons.isEmpty());
        assertThat(reasons.get(0)).contains("task").contains("failed");
    }

    /** An exception that cannot be logged. */
    private static final class HostileException extends Exception {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("a failure of getMessage()");
        }
    }

    @Test
    void listenerThatIsRegisteredDuringATermDoesNotReceiveItsEnd() {
        List<String> early = new CopyOnWriteArrayList<>();
        List<String> late = new CopyOnWriteArrayList<>();
        Leadership leadership = candidate(member());
        leadership.addListener(reasonsTo(early));
        leadership.start();
        awaitLeader(leadership);
        leadership.addListener(reasonsTo(late));

        leadership.stepDown(Duration.ZERO);

        await().until(() -> early.size() == 1);
        assertThat(late).isEmpty();
    }

    @Test
    void closedRegistrationDoesNotRunInTheNextTerm() throws Exception {
        Leadership leadership = leader(member());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicInteger others = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        Registration registration = leadership.runWhileLeader(token -> {
            runs.incrementAndGet();
            untilInterrupted(begun, interrupted).run(token);
        });
        leadership.runWhileLeader(token -> others.incrementAndGet());
        awaitZero(begun);

        registration.close();
        awaitZero(interrupted);
        leadership.stepDown(Duration.ZERO);

        await().until(() -> others.get() == 2);
        awaitLeader(leadership);
        assertThat(runs).hasValue(1);
    }

    @Test
    void stackWithoutRoomDoesNotBlockTheLeadership() {
        Leadership leadership = leader(member());
        AtomicInteger overflows = new AtomicInteger();
        Thread deep = new Thread(() -> descend(leadership, overflows));
        deep.start();
        await().until(() -> !deep.isAlive());
        assertThat(overflows).hasPositiveValue();

        leadership.close();

        assertThat(leadership.isLeader()).isFalse();
        awaitQueued(0);
    }

    /** Steps down at each depth from the end of the stack on. */
    @SuppressWarnings("InfiniteRecursion") // the end of the stack ends it
    private static void descend(Leadership leadership, AtomicInteger overflows) {
        try {
            descend(leadership, overflows);
        } catch (StackOverflowError end) {
            overflows.incrementAndGet();
            leadership.stepDown(Duration.ZERO);
        }
    }

    @Test
    void taskMayCloseItsLeadership() throws Exception {
        Leadership leadership = candidate(member());
        CountDownLatch closed = new CountDownLatch(1);
        leadership.runWhileLeader(token -> {
            leadership.close();
            closed.countDown();
        });

        leadership.start();

        awaitZero(closed);
        awaitQueued(0);
    }

    @Test
    void lossEndsTheTermAndTheProcessIsACandidateAgain() {
        List<String> reasons = new CopyOnWriteArrayList<>();
        Leadership leadership = candidate(member());
        leadership.addListener(reasonsTo(reasons));
        leadership.start();
        awaitLeader(leadership);
        FencingToken before = leadership.token().orElseThrow();

        member().expireSession();

        await().until(() -> reasons.size() == 1);
        assertThat(reasons.get(0)).contains("lost");
        awaitLeader(leadership);
        assertThat(leadership.token().orElseThrow()).isGreaterThan(before);
    }

    @Test
    void processIsACandidateAgainOnlyWhenTheTaskOfALostTermHasEnded() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        Leadership leadership = candidate(member());
        leadership.runWhileLeader(token -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            runs.incrementAndGet();
            begun.countDown();
            awaitIgnoringInterrupts(end);
            running.decrementAndGet();
        });
        leadership.start();
        awaitZero(begun);
        member().expireSession();
        await().until(() -> !leadership.isLeader());

        try (LockHandle between = lock().acquire()) {
            assertThat(between.isHeld()).isTrue();
        }

        assertThat(runs).hasValue(1);
        end.countDown();
        await().until(() -> runs.get() == 2);
        assertThat(most).hasValue(1);
    }

    @Test
    void listenersReceiveTheTermsInOrder() {
        List<String> calls = new CopyOnWriteArrayList<>();
        Leadership leadership = candidate(member());
        leadership.addListener(new Leadership.Listener() {
            @Override
            public void started(LockName name, FencingToken token) {
                calls.add("started " + name + " " + token);
                throw new IllegalStateException("a failure of the listener");
            }

            @Override
            public void stopped(LockName name, FencingToken token, String reason) {
                calls.add("stopped " + name + " " + token);
            }
        });

        leadership.start();
        awaitLeader(leadership);
        FencingToken first = leadership.token().orElseThrow();
        leadership.stepDown(Duration.ZERO);
        await().until(() -> calls.size() == 3);
        awaitLeader(leadership);
        FencingToken second = leadership.token().orElseThrow();

        assertThat(calls)
                .containsExactly(
                        "started " + name() + " " + first,
                        "stopped " + name() + " " + first,
                        "started " + name() + " " + second);
    }

    @Test
    void removedListenerIsNotCalled() {
        List<String> reasons = new CopyOnWriteArrayList<>();
        List<String> others = new CopyOnWriteArrayList<>();
        Leadership leadership = candidate(member());
        Registration registration = leadership.addListener(reasonsTo(reasons));
        leadership.addListener(reasonsTo(others));
        leadership.start();
        awaitLeader(leadership);

        registration.close();
        leadership.close();

        await().until(() -> others.size() == 1);
        assertThat(reasons).isEmpty();
    }

    @Test
    void outageEndsTheLeadershipByTheClock() {
        Leadership leadership = leader(join(Options.none().sessionTimeout(Duration.ofSeconds(4))));

        cluster().outage();

        await().until(() -> !leadership.isLeader());
        cluster().heal();
        awaitLeader(leadership);
    }

    @Test
    void candidateWaitsThroughAnOutage() {
        cluster().outage();
        Leadership leadership = started(member());

        cluster().heal();

        awaitLeader(leadership);
    }

    @Test
    void longTermIsNoLongHold() throws Exception {
        Recorder recorder = new Recorder();
        Member watched = join(Options.none().holdWarning(Duration.ofMillis(1)).listener(recorder));
        leader(watched);

        try (LockHandle other = watched.registry().lock(name() + "-other").acquire()) {
            await().until(() -> recorder.all(LockEvent.HeldLong.class)
                    .anyMatch(event -> event.name().equals(other.name())));
        }

        assertThat(recorder.all(LockEvent.HeldLong.class))
                .extracting(LockEvent.HeldLong::name)
                .doesNotContain(LockName.of(name()));
    }

    @Test
    void leadershipOutlivesAClosedRegistryThatKeepsHeldLocks() {
        Member keeping = join(Options.none().onClose(OnClose.KEEP_HELD));
        Leadership leadership = leader(keeping);

        keeping.close();

        assertThat(leadership.isLeader()).isTrue();
        leadership.close();
        awaitQueued(0);
    }

    @Test
    void registryThatReleasesHeldLocksEndsTheCandidacy() {
        Member releasing = join(Options.none().onClose(OnClose.RELEASE_HELD));
        Leadership leadership = leader(releasing);

        releasing.close();

        await().until(() -> !leadership.isLeader());
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("zk-lock-leader-" + name())));
    }

    @Test
    void closeIsFinalAndIdempotent() {
        Leadership leadership = leader(member());

        leadership.close();

        assertThatCode(leadership::close).doesNotThrowAnyException();
        assertThatIllegalStateException()
                .isThrownBy(leadership::start)
                .withMessageContaining(name())
                .withMessageContaining("closed");
    }

    @Test
    void closeOfACandidacyThatHasNotStartedReturnsAtOnce() {
        Leadership leadership = candidate(member());

        leadership.close();

        assertThat(leadership.isLeader()).isFalse();
    }

    @Test
    void badInputIsRejected() {
        Leadership leadership = candidate(member());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry().leadership("/a//b"))
                .withMessageContaining("/a//b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leadership.stepDown(Duration.ofSeconds(-1)))
                .withMessageContaining(name())
                .withMessageContaining("negative");
    }

    private Leadership candidate(Member process) {
        return closing(process.registry().leadership(name()));
    }

    private Leadership started(Member process) {
        Leadership leadership = candidate(process);
        leadership.start();
        return leadership;
    }

    private Leadership leader(Member process) {
        Leadership leadership = started(process);
        awaitLeader(leadership);
        return leadership;
    }

    /** Starts a further candidate, and returns when it waits behind the leader. */
    private Leadership waitingBehind(Leadership leader, Member process) {
        Leadership second = started(process);
        awaitQueued(2);
        assertThat(leader.isLeader()).isTrue();
        assertThat(second.isLeader()).isFalse();
        return second;
    }

    private static void awaitLeader(Leadership leadership) {
        await().until(leadership::isLeader);
    }

    private static Leadership.Listener reasonsTo(List<String> reasons) {
        return new Leadership.Listener() {
            @Override
            public void stopped(LockName name, FencingToken token, String reason) {
                reasons.add(reason);
            }
        };
    }

    private static Leadership.Task untilInterrupted(CountDownLatch begun, CountDownLatch interrupted) {
        return token -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException expected) {
                interrupted.countDown();
            }
        };
    }

    private static void awaitZero(CountDownLatch latch) {
        await().until(() -> latch.getCount() == 0);
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException ignored) {
                // goes on waiting
            }
        }
    }
}
