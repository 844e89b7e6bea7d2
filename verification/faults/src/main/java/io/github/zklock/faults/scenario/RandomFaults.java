package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;

import io.github.zklock.faults.cluster.CutDirection;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random faults, several at a time. */
public final class RandomFaults {

    private static final int CLIENTS = 4;
    private static final int FAULTS = 10;

    private final List<ClientProcess> clients = new ArrayList<>();
    private final List<ServerProcess> killed = new ArrayList<>();
    private int started;

    @FaultScenario(value = "S21", tier = Tier.ALL, grants = 40, handOvers = 20, faults = FAULTS)
    public void anythingMayHappenToAnybody(ScenarioContext context) {
        for (int i = 0; i < CLIENTS; i++) {
            start(context);
        }
        Random random = context.random();

        for (int fault = 0; fault < FAULTS; fault++) {
            Event begun = somethingBad(context, random);
            // from an unnoticeable time to the expiry of every session
            context.lastUntil(begun, T.multipliedBy(random.nextInt(2, 16)).dividedBy(8));
            if (random.nextInt(3) > 0) {
                recover(context);
            }
        }

        recover(context);
    }

    private Event somethingBad(ScenarioContext context, Random random) {
        List<ServerProcess> running = new ArrayList<>(context.ensemble().servers());
        running.removeAll(killed);
        return running.isEmpty() || random.nextBoolean()
                ? toAClient(context, clients.get(random.nextInt(clients.size())), random)
                : toAServer(context, running.get(random.nextInt(running.size())), random);
    }

    private Event toAClient(ScenarioContext context, ClientProcess client, Random random) {
        // no other code can disrupt the registry's own client
        boolean shared = context.variant().surface() != Surface.FUTURE;
        return switch (random.nextInt(shared ? 5 : 4)) {
            case 0, 1 -> context.pause(client);
            case 2 -> replace(context, client);
            case 3 -> context.isolateClients();
            default -> context.disrupt(client, Disruption.RESET);
        };
    }

    private Event toAServer(ScenarioContext context, ServerProcess server, Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> context.pause(server);
            case 1 -> kill(context, server);
            case 2 -> context.isolate(server);
            case 3 -> context.isolate(server, CutDirection.IN);
            case 4 -> context.isolate(server, CutDirection.OUT);
            // shorter than a session timeout, so that commits still succeed within one
            default ->
                context.slowDisk(server, T.multipliedBy(random.nextInt(1, 4)).dividedBy(8));
        };
    }

    /** Kills a client, and starts another one. */
    private Event replace(ScenarioContext context, ClientProcess client) {
        clients.remove(client);
        Event dead = context.kill(client);
        start(context);
        return dead;
    }

    private Event kill(ScenarioContext context, ServerProcess server) {
        killed.add(server);
        return context.kill(server);
    }

    private void start(ScenarioContext context) {
        ClientProcess client = context.client("client-" + ++started);
        clients.add(client);
        // begins as soon as it can reach a server
        context.contending().forEach(spec -> client.send("loop 1 20 forever " + spec));
    }

    private void recover(ScenarioContext context) {
        clients.forEach(context::resume);
        Event healed = context.heal();
        killed.clear();
        for (ClientProcess client : clients) {
            context.await(Kind.GRANTED, client, healed.at());
        }
    }
}
