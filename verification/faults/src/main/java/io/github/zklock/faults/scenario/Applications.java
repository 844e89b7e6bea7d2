package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant;
import io.github.zklock.faults.stage.Variant.Surface;

/** What becomes of an application around its locks. */
public class Applications {

    private static final int POOL = 4;

    @FaultScenario(value = "S20", grants = 6, handOvers = 1, faults = 2, surfaces = Surface.ANNOTATION)
    public void anApplicationThatClosesWaitsForItsHoldersAndLeavesTheRestToThem(Stage stage) {
        String wish = stage.variant().kind().alone();
        Cast cast = Cast.together(stage);
        stage.variant().kind().common().forEach(common -> cast.second().order("loop 1 20 forever " + common));
        ClientProcess holder = cast.holder();

        ClientProcess brief = cast.first();
        // within the time to drain
        brief.order("once 400 forever " + wish);
        Event held = stage.await(Kind.GRANTED, brief, 0);
        Event draining = closing(stage, brief, "CLOSE");
        Event drained = stage.await(Kind.CHANGED, brief, draining.at());
        Event releasing = stage.await(Kind.RELEASING, brief, held.at());
        assertThat(releasing.at())
                .as("the end of a hold that began before the application closed and ended before it was closed")
                .isBetween(draining.at(), drained.at());
        assertThat(stage.await(Kind.CLOSED, brief, held.at()).text("result")).isEqualTo("ok");
        brief.order("once 0 forever " + wish);
        stage.await(Kind.REFUSED, brief, drained.at());
        assertThat(stage.timeline().count(event -> isLoss(event, brief))).isZero();

        stage.hold(holder);
        holder.order("once 0 forever " + wish);
        stage.await(Kind.ASKED, holder, draining.at());
        Event closing = closing(stage, holder, "CLOSE");
        stage.await(Kind.REFUSED, holder, closing.at());
        stage.await(Kind.CHANGED, holder, closing.at());
        Event released = stage.release(holder);
        assertThat(released.text("result")).isEqualTo("ok");
        stage.await(Kind.GRANTED, cast.second(), released.at());
        assertThat(stage.timeline().count(event -> isLoss(event, holder))).isZero();
    }

    @FaultScenario(
            value = "S20",
            grants = 3,
            handOvers = 2,
            surfaces = {Surface.REGISTRY, Surface.FUTURE})
    public void aRegistryThatIsClosedLeavesALockToItsHolder(Stage stage) {
        Cast cast = Cast.together(stage);
        ClientProcess holder = cast.holder();
        stage.hold(holder);
        cast.first().order("hold " + stage.variant().kind().alone());
        stage.seating().awaitSeats(2);

        Event closing = stage.note(holder.name(), Kind.CLOSING);
        holder.order("close");
        stage.await(Kind.SHUT, holder, closing.at());
        Event released = stage.release(holder);
        assertThat(released.text("result")).isEqualTo("ok");
        stage.await(Kind.GRANTED, cast.first(), released.at());

        assertThat(stage.timeline().count(event -> isLoss(event, holder))).isZero();
        stage.release(cast.first());
        stage.hold(cast.second());
    }

    @FaultScenario(value = "S20", grants = 6, handOvers = 2, surfaces = Surface.ANNOTATION)
    public void anApplicationThatIsReplacedLeavesItsOldCallsTheirLocks(Stage stage) {
        String wish = stage.variant().kind().alone();
        Cast cast = Cast.together(stage);
        cast.loop();
        ClientProcess holder = cast.holder();
        Event old = stage.hold(holder);
        holder.order("once 0 forever " + wish);
        stage.await(Kind.ASKED, holder, old.at());

        Event closing = closing(stage, holder, "REFRESH");
        stage.await(Kind.REFUSED, holder, closing.at());
        Event replaced = stage.await(Kind.CHANGED, holder, closing.at());
        // by the new application, while the old call has not returned yet
        holder.order("once 20 forever " + wish);
        stage.await(Kind.ASKED, holder, replaced.at());
        Event released = stage.release(holder);
        assertThat(released.text("result")).isEqualTo("ok");
        Event granted = stage.await(Kind.GRANTED, holder, released.at());

        assertThat(granted.text("session")).isNotEqualTo(old.text("session"));
        cast.awaitGrants(replaced);
        stage.hold(holder);
        assertThat(stage.release(holder).text("result")).isEqualTo("ok");
    }

    @FaultScenario(
            value = "S27",
            grants = 6,
            handOvers = 2,
            kinds = {Variant.Kind.EXCLUSIVE, Variant.Kind.READ_WRITE},
            surfaces = Surface.ANNOTATION)
    public void anApplicationWithoutAFreeThreadKeepsItsLocks(Stage stage) {
        String wish = stage.variant().kind().alone();
        Cast cast = Cast.together(stage);
        cast.loop();
        ClientProcess holder = cast.holder();
        stage.hold(holder);

        // one holds another lock and goes on and on, one waits for it, and the rest for the lock that is held
        Event exhausted = stage.note("pool-of-" + holder.name(), Kind.BLOCKED);
        holder.order("crowd 2 600000 forever exclusive@elsewhere");
        holder.order("crowd " + POOL + " 20 forever " + wish);
        stage.timeline()
                .await(
                        "a pool without a free thread",
                        exhausted.at(),
                        event -> asked(stage, holder, exhausted) == POOL);
        stage.lastUntil(stage.await(Kind.ASKED, holder, exhausted.at()), T.multipliedBy(2));

        assertThat(asked(stage, holder, exhausted)).isEqualTo(POOL);
        assertThat(stage.timeline().count(event -> isLoss(event, holder))).isZero();
        Event released = stage.release(holder);
        assertThat(released.text("result")).isEqualTo("ok");
        stage.await(Kind.GRANTED, holder, released.at());
        cast.awaitGrants(released);
    }

    private static Event closing(Stage stage, ClientProcess client, String change) {
        long now = System.nanoTime();
        client.order("change " + change);
        return stage.await(Kind.CLOSING, client, now);
    }

    private static long asked(Stage stage, ClientProcess client, Event after) {
        return stage.timeline().count(event -> event.is(Kind.ASKED, client.name()) && event.at() > after.at());
    }

    private static boolean isLoss(Event event, ClientProcess client) {
        return event.is(Kind.LOST, client.name())
                || (event.is(Kind.CLOSED, client.name()) && event.text("result").equals("lost"));
    }
}
