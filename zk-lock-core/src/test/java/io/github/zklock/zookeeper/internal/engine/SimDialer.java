package io.github.zklock.zookeeper.internal.engine;

import org.jspecify.annotations.Nullable;

/** The attempts of one client to connect: one server after the other, one attempt at a time. */
final class SimDialer {

    private final SimClient client;
    private final SimHost host;
    private final SimEnsemble ensemble;
    private final SimScheduler scheduler;
    private final SimRandom random;
    private final SimDelays delays;
    private @Nullable SimConnection attempt;
    private long attemptedAt;
    private long wallLeadAtAttempt;
    private int attempts;
    /** Whether the next attempt has its number. */
    private boolean announced;

    private int nextServer;

    SimDialer(
            SimClient client,
            SimHost host,
            SimEnsemble ensemble,
            SimScheduler scheduler,
            SimRandom random,
            SimDelays delays) {
        this.client = client;
        this.host = host;
        this.ensemble = ensemble;
        this.scheduler = scheduler;
        this.random = random;
        this.delays = delays;
        this.nextServer = random.below(ensemble.servers().size());
    }

    int attempts() {
        return attempts;
    }

    /** When the last attempt began, on the process's clock. */
    long attemptedAt() {
        return attemptedAt;
    }

    /** How far the process's wall clock was ahead of its monotonic one then. */
    long wallLeadAtAttempt() {
        return wallLeadAtAttempt;
    }

    void dial(long session, long seenZxid) {
        if (attempt != null) {
            return;
        }
        SimServer server =
                ensemble.servers().get(nextServer++ % ensemble.servers().size());
        SimConnection begun = new SimConnection(client, server, scheduler, delays, host.isIsolated());
        attempt = begun;
        announce();
        announced = false;
        begun.toServer.send(() -> server.connect(begun, session, seenZxid));
        scheduler.after(
                client.timeout() / ensemble.servers().size(),
                () -> host.enterFirst(() -> {
                    if (attempt == begun) {
                        client.lost(begun);
                    }
                }));
    }

    /** As HostProvider.next is called, which may sleep before the attempt begins. */
    private void announce() {
        if (!announced) {
            announced = true;
            attemptedAt = host.nanoTime();
            wallLeadAtAttempt = host.wallNanos() - attemptedAt;
            attempts++;
        }
    }

    /** Later, lest a server that is starting be stormed. */
    void dialLater() {
        announce();
        scheduler.after(random.between(0, ensemble.tick() / 2), () -> host.enter(client::connect));
    }

    /** True if this is the attempt that is under way; it is over then. */
    boolean end(SimConnection which) {
        boolean current = attempt == which;
        if (current) {
            attempt = null;
        }
        return current;
    }

    void stop() {
        attempt = null;
    }

    void setCut(boolean cut) {
        if (attempt != null) {
            attempt.setCut(cut);
        }
    }
}
