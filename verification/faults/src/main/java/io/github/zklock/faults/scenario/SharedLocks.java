package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant;

/** Readers, writers and permits whose holders are cut off, paused or killed. */
public class SharedLocks {

    @FaultScenario(value = "S3", grants = 20, handOvers = 4, together = 2, losses = 1, kinds = Variant.Kind.READ_WRITE)
    public void aWriterWhoseFollowerIsCutOffIsOutBeforeAnybodyReads(Stage stage) {
        ServerProcess follower = stage.ensemble().follower();
        Cast cast = Cast.apart(stage, follower);
        ClientProcess holder = cast.holder();
        cast.loop(2, "read");
        cast.loop(1, "write");
        stage.hold(holder, "write");

        Event cut = stage.isolate(follower);
        Event next = stage.awaitGrantToOthers(holder, cut.at());
        // long enough for a holder that trusts its follower to be caught
        stage.lastUntil(next, T.dividedBy(4));
        Event healed = stage.heal();

        stage.await(Kind.LOST, holder, cut.at());
        assertThat(stage.release(holder).text("result")).isEqualTo("lost");
        stage.awaitGrantOf("read", healed.at());
        stage.awaitGrantOf("write", healed.at());
        stage.hold(holder, "read");
    }

    @FaultScenario(value = "S1", grants = 20, handOvers = 4, together = 2, losses = 1, kinds = Variant.Kind.READ_WRITE)
    public void aReaderThatWasPausedForTooLongIsOutBeforeAnybodyWrites(Stage stage) {
        Cast cast = Cast.together(stage);
        ClientProcess holder = cast.holder();
        cast.loop(2, "read");
        cast.awaitGrants(stage.hold(holder, "read"));
        cast.loop(1, "write");

        Event paused = stage.pause(holder);
        Event written = stage.awaitGrantOf("write", paused.at());
        stage.lastUntil(written, T.dividedBy(4));
        Event resumed = stage.resume(holder);

        Event answer = stage.timeline().await("an answer", resumed.at(), event -> event.is(Kind.SAMPLE, holder.name()));
        assertThat(answer.text("held")).isEqualTo("false");
        stage.await(Kind.LOST, holder, resumed.at());
        assertThat(stage.release(holder).text("result")).isEqualTo("lost");
        stage.hold(holder, "write");
    }

    @FaultScenario(
            value = "S2",
            grants = 6,
            handOvers = 4,
            together = 4,
            losses = 1,
            faults = 2,
            kinds = Variant.Kind.SEMAPHORE)
    public void permitsOfAKilledAndOfAPausedProcessComeBackAndAreNeverTooMany(Stage stage) throws InterruptedException {
        Cast cast = Cast.together(stage);
        ClientProcess paused = cast.holder();
        ClientProcess killed = stage.client("killed", stage.ensemble().connectStringWithout());
        stage.awaitReady();
        stage.hold(killed, "permits-2-of-4");
        stage.hold(paused, "permits-1-of-4");
        cast.first().order("loop 3 20 forever permits-1-of-4");
        Event used = stage.await(Kind.GRANTED, cast.first(), 0);

        stage.kill(killed);
        stage.pause(paused);
        // granted once all permits have come back; until then it keeps those behind it waiting
        Event all = stage.hold(cast.second(), "permits-4-of-4");
        stage.lastUntil(all, T.dividedBy(4));
        stage.release(cast.second());
        Event resumed = stage.resume(paused);

        stage.await(Kind.LOST, paused, used.at());
        assertThat(stage.release(paused).text("result")).isEqualTo("lost");
        stage.hold(paused, "permits-3-of-4");
        stage.await(Kind.GRANTED, cast.first(), resumed.at());
    }
}
