package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static io.github.zklock.faults.context.Variant.Kind.READ_WRITE;
import static io.github.zklock.faults.context.Variant.Kind.SEMAPHORE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;

/** Readers, writers and permits whose holders are isolated, paused or killed. */
public class SharedLocks {

    @FaultScenario(value = "S3", grants = 20, handOvers = 4, together = 2, losses = 1)
    @Variants(kinds = READ_WRITE)
    public void aWriterWhoseFollowerIsCutOffIsOutBeforeAnybodyReads(ScenarioContext context) {
        ServerProcess follower = context.ensemble().follower();
        ThreeClients clients = ThreeClients.apart(context, follower);
        ClientProcess holder = clients.holder();
        clients.loop(2, "read");
        clients.loop(1, "write");
        context.hold(holder, "write");

        Event cut = context.isolate(follower);
        Event next = context.awaitGrantToOthers(holder, cut.at());
        // long enough to detect a holder that relies on its follower
        context.lastUntil(next, T.dividedBy(4));
        Event healed = context.heal();

        context.await(Kind.LOST, holder, cut.at());
        context.release(holder, "lost");
        context.awaitGrantOf("read", healed.at());
        context.awaitGrantOf("write", healed.at());
        context.hold(holder, "read");
    }

    @FaultScenario(value = "S1", grants = 20, handOvers = 4, together = 2, losses = 1)
    @Variants(kinds = READ_WRITE)
    public void aReaderThatWasPausedForTooLongIsOutBeforeAnybodyWrites(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess holder = clients.holder();
        clients.loop(2, "read");
        clients.awaitGrants(context.hold(holder, "read"));
        clients.loop(1, "write");

        Event paused = context.pause(holder);
        Event written = context.awaitGrantOf("write", paused.at());
        context.lastUntil(written, T.dividedBy(4));
        Event resumed = context.resume(holder);

        Event answer = context.await(Kind.SAMPLE, holder, resumed.at());
        assertThat(answer.text("held")).isEqualTo("false");
        context.await(Kind.LOST, holder, resumed.at());
        context.release(holder, "lost");
        context.hold(holder, "write");
    }

    /*
     * A rolling change from two permits to four, and back: the number in the names of the seats differs from process to
     * process.
     */
    @FaultScenario(value = "S33", grants = 20, handOvers = 4, together = 3, losses = 1, faults = 3)
    @Variants(kinds = SEMAPHORE)
    public void theNumberOfPermitsChangesFromProcessToProcess(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        clients.loop(1, "permits-1-of-2");
        ClientProcess holder = clients.holder();
        context.hold(holder, "permits-1-of-4");

        context.dismiss(clients.first());
        ClientProcess larger = context.client("larger");
        context.awaitReady();
        larger.send("loop 3 20 forever permits-1-of-4");
        Event resumed = context.pauseFor(holder, T.multipliedBy(2));
        context.await(Kind.LOST, holder, resumed.at());
        context.release(holder, "lost");
        Event alone = context.dismiss(clients.second());
        context.await(Kind.GRANTED, larger, alone.at());
        context.hold(holder, "permits-3-of-4");
        context.release(holder);

        ClientProcess smaller = context.client("smaller");
        context.awaitReady();
        long now = System.nanoTime();
        context.send(smaller, "loop 2 20 forever permits-1-of-2", Kind.GRANTED);
        context.await(Kind.GRANTED, larger, now);
    }

    @FaultScenario(value = "S2", grants = 6, handOvers = 4, together = 4, losses = 1, faults = 2)
    @Variants(kinds = SEMAPHORE)
    public void permitsOfAKilledAndOfAPausedProcessComeBackAndAreNeverTooMany(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess paused = clients.holder();
        ClientProcess killed = context.client("killed");
        context.awaitReady();
        context.hold(killed, "permits-2-of-4");
        context.hold(paused, "permits-1-of-4");
        clients.first().send("loop 3 20 forever permits-1-of-4");
        Event used = context.await(Kind.GRANTED, clients.first(), 0);

        context.kill(killed);
        context.pause(paused);
        // granted once all permits are released; until then it blocks the waiters behind it
        Event all = context.hold(clients.second(), "permits-4-of-4");
        context.lastUntil(all, T.dividedBy(4));
        context.release(clients.second());
        Event resumed = context.resume(paused);

        context.await(Kind.LOST, paused, used.at());
        context.release(paused, "lost");
        context.hold(paused, "permits-3-of-4");
        context.await(Kind.GRANTED, clients.first(), resumed.at());
    }
}
