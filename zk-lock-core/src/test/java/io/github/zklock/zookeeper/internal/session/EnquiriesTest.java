package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** When a question is asked, and when it is rejected instead. */
class EnquiriesTest {

    private final List<Consumer<Wire.Pin>> pins = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final ManualTime time = new ManualTime(Runnable::run);
    private final EngineRun run = new EngineRun(Runnable::run);
    private final SessionKeeper keeper =
            new SessionKeeper(run, new PinnedByTest(), time, "/locks", new Backoff(1, 1), new NoClient());
    private final Enquiries enquiries = new Enquiries(keeper);

    @Test
    void questionIsAskedAtOnceOnAConnectedSession() {
        connect();

        enquiries.ask(question("a"));

        assertThat(told).containsExactly("a asked");
    }

    @Test
    void questionWaitsForASession() {
        keeper.start();
        enquiries.ask(question("a"));
        enquiries.ask(question("b"));
        assertThat(told).isEmpty();

        connect();
        enquiries.connected(keeper.session().orElseThrow());

        assertThat(told).containsExactly("a asked", "b asked");
        enquiries.connected(keeper.session().orElseThrow());
        assertThat(told).as("each is asked once").hasSize(2);
    }

    @Test
    void forgottenQuestionIsNotAsked() {
        Enquiries.Question forgotten = question("a");
        enquiries.ask(forgotten);

        enquiries.forget(forgotten);

        connect();
        enquiries.connected(keeper.session().orElseThrow());
        assertThat(told).isEmpty();
    }

    @Test
    void waitingQuestionsAreRejectedOnceWithTheReason() {
        enquiries.ask(question("a"));

        enquiries.refuseAll(Refusal.notConfirmed());

        assertThat(told).containsExactly("a UNAVAILABLE");
        enquiries.refuseAll(Refusal.notConfirmed());
        assertThat(told).hasSize(1);
    }

    @Test
    void questionsAreRejectedWhenTheRegistryClosesAndAfterwards() {
        enquiries.ask(question("a"));

        enquiries.end();
        assertThat(told).containsExactly("a " + Reason.CLOSED);

        enquiries.ask(question("b"));
        assertThat(told).containsExactly("a CLOSED", "b CLOSED");
    }

    @Test
    void questionIsRejectedWhileTheServersRejectTheClient() {
        keeper.start();
        pins.remove(0).accept(new Wire.Pin.Denied("no such user", null));

        enquiries.ask(question("a"));

        assertThat(told).containsExactly("a DENIED");
    }

    private void connect() {
        if (pins.isEmpty()) {
            keeper.start();
        }
        pins.remove(0).accept(new Wire.Pin.Pinned(new RecordedSession()));
    }

    private Enquiries.Question question(String name) {
        return new Enquiries.Question() {
            @Override
            public void askOn(PinnedSession session) {
                told.add(name + " asked");
            }

            @Override
            public void cannotBeAsked(Refusal why) {
                told.add(name + " " + why.reason());
            }
        };
    }

    /** A wire whose questions for a session the test answers. */
    private final class PinnedByTest implements Wire {

        @Override
        public void pin(Consumer<Pin> answer) {
            pins.add(answer);
        }

        @Override
        public void onHint(Runnable hint) {}

        @Override
        public void leave() {}

        @Override
        public void close() {}
    }

    private static final class NoClient implements SessionKeeper.Client {

        @Override
        public void connected(PinnedSession session) {}

        @Override
        public void disconnected() {}

        @Override
        public void ended(PinnedSession session, String reason) {}

        @Override
        public void proofAdvanced() {}

        @Override
        public void denied(Refusal refusal) {}

        @Override
        public void clientClosed() {}

        @Override
        public void tick() {}
    }
}
