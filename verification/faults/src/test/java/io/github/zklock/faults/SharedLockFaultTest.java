package io.github.zklock.faults;

import static io.github.zklock.faults.Scenario.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.Event.Kind;

/** Readers, writers and permits whose holders are cut off, paused or killed. */
class SharedLockFaultTest {

    @FaultScenario(value = "S3", grants = 20, handOvers = 4, together = 2, losses = 1)
    void aWriterWhoseFollowerIsCutOffIsOutBeforeAnybodyReads(Scenario scenario) {
        ServerProcess follower = scenario.ensemble().follower();
        Cast cast = Cast.apart(scenario, follower);
        ClientProcess holder = cast.holder();
        cast.loop("2 20 read");
        cast.loop("1 20 write");
        scenario.hold(holder, "write");

        Event cut = scenario.isolate(follower);
        Event next = scenario.awaitGrantToOthers(holder, cut.at());
        // long enough for a holder that trusts its follower to be caught
        scenario.lastUntil(next, T.dividedBy(4));
        Event healed = scenario.heal();

        scenario.await(Kind.LOST, holder, cut.at());
        assertThat(scenario.release(holder).text("result")).isEqualTo("lost");
        scenario.awaitGrantOf("read", healed.at());
        scenario.awaitGrantOf("write", healed.at());
        scenario.hold(holder, "read");
    }

    @FaultScenario(value = "S1", grants = 20, handOvers = 4, together = 2, losses = 1)
    void aReaderThatWasPausedForTooLongIsOutBeforeAnybodyWrites(Scenario scenario) {
        Cast cast = Cast.together(scenario);
        ClientProcess holder = cast.holder();
        cast.loop("2 20 read");
        cast.awaitGrants(scenario.hold(holder, "read"));
        cast.loop("1 20 write");

        Event paused = scenario.pause(holder);
        Event written = scenario.awaitGrantOf("write", paused.at());
        scenario.lastUntil(written, T.dividedBy(4));
        Event resumed = scenario.resume(holder);

        Event answer =
                scenario.timeline().await("an answer", resumed.at(), event -> event.is(Kind.SAMPLE, holder.name()));
        assertThat(answer.text("held")).isEqualTo("false");
        scenario.await(Kind.LOST, holder, resumed.at());
        assertThat(scenario.release(holder).text("result")).isEqualTo("lost");
        scenario.hold(holder, "write");
    }

    @FaultScenario(value = "S2", grants = 6, handOvers = 4, together = 4, losses = 1, faults = 2)
    void permitsOfAKilledAndOfAPausedProcessComeBackAndAreNeverTooMany(Scenario scenario) throws InterruptedException {
        Cast cast = Cast.together(scenario);
        ClientProcess paused = cast.holder();
        ClientProcess killed = scenario.client("killed", scenario.ensemble().connectStringWithout());
        scenario.awaitReady();
        scenario.hold(killed, "permits-2-of-4");
        scenario.hold(paused, "permits-1-of-4");
        cast.first().order("loop 3 20 permits-1-of-4");
        Event used = scenario.await(Kind.GRANTED, cast.first(), 0);

        scenario.kill(killed);
        scenario.pause(paused);
        // granted once all permits have come back; until then it keeps those behind it waiting
        Event all = scenario.hold(cast.second(), "permits-4-of-4");
        scenario.lastUntil(all, T.dividedBy(4));
        scenario.release(cast.second());
        Event resumed = scenario.resume(paused);

        scenario.await(Kind.LOST, paused, used.at());
        assertThat(scenario.release(paused).text("result")).isEqualTo("lost");
        scenario.hold(paused, "permits-3-of-4");
        scenario.await(Kind.GRANTED, cast.first(), resumed.at());
    }
}
