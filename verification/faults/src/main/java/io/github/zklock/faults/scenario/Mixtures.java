package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;

import io.github.zklock.faults.record.Disruption;
import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.Direction;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Tier;
import io.github.zklock.faults.stage.Variant.Surface;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What nobody thought of: faults drawn at random, one upon the other. */
public final class Mixtures {

    private static final int CLIENTS = 4;
    private static final int FAULTS = 10;

    private final List<ClientProcess> clients = new ArrayList<>();
    private final List<ServerProcess> killed = new ArrayList<>();
    private int started;

    @FaultScenario(value = "S21", tier = Tier.ALL, grants = 40, handOvers = 20, faults = FAULTS)
    public void anythingMayHappenToAnybody(Stage stage) throws InterruptedException {
        for (int i = 0; i < CLIENTS; i++) {
            start(stage);
        }
        Random random = stage.random();

        for (int fault = 0; fault < FAULTS; fault++) {
            Event begun = somethingBad(stage, random);
            // from nothing noticeable to the end of every session
            stage.lastUntil(begun, T.multipliedBy(random.nextInt(2, 16)).dividedBy(8));
            if (random.nextInt(3) > 0) {
                recover(stage);
            }
        }

        recover(stage);
    }

    private Event somethingBad(Stage stage, Random random) throws InterruptedException {
        List<ServerProcess> running = new ArrayList<>(stage.ensemble().servers());
        running.removeAll(killed);
        return running.isEmpty() || random.nextBoolean()
                ? toAClient(stage, clients.get(random.nextInt(clients.size())), random)
                : toAServer(stage, running.get(random.nextInt(running.size())), random);
    }

    private Event toAClient(Stage stage, ClientProcess client, Random random) throws InterruptedException {
        // nobody else can do anything to a client that a registry has for itself
        boolean shared = stage.variant().surface() != Surface.FUTURE;
        return switch (random.nextInt(shared ? 5 : 4)) {
            case 0, 1 -> stage.pause(client);
            case 2 -> replace(stage, client);
            case 3 -> stage.isolateClients();
            default -> stage.disrupt(client, Disruption.RESET);
        };
    }

    private Event toAServer(Stage stage, ServerProcess server, Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> stage.pause(server);
            case 1 -> kill(stage, server);
            case 2 -> stage.isolate(server);
            case 3 -> stage.isolate(server, Direction.IN);
            case 4 -> stage.isolate(server, Direction.OUT);
            // what it is told within a session's life is written down in it
            default ->
                stage.slowDisk(server, T.multipliedBy(random.nextInt(1, 4)).dividedBy(8));
        };
    }

    /** A client dies, and another takes its place. */
    private Event replace(Stage stage, ClientProcess client) throws InterruptedException {
        clients.remove(client);
        Event dead = stage.kill(client);
        start(stage);
        return dead;
    }

    private Event kill(Stage stage, ServerProcess server) {
        killed.add(server);
        return stage.kill(server);
    }

    private void start(Stage stage) {
        ClientProcess client =
                stage.client("client-" + ++started, stage.ensemble().connectStringWithout());
        clients.add(client);
        // it begins as soon as it can reach a server
        stage.variant().kind().common().forEach(wish -> client.order("loop 1 20 forever " + wish));
    }

    private void recover(Stage stage) {
        clients.forEach(stage::resume);
        Event healed = stage.heal();
        killed.clear();
        for (ClientProcess client : clients) {
            stage.timeline()
                    .await("a grant to " + client.name(), healed.at(), event -> event.is(Kind.GRANTED, client.name()));
        }
    }
}
