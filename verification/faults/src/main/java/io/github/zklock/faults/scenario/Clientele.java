package io.github.zklock.faults.scenario;

import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant.Surface;

/** The clients of one server, which can go on at another one. */
record Clientele(Stage stage, ServerProcess server) {

    /** Every second client that knows two servers begins at the wrong one. */
    private static final int ATTEMPTS = 10;

    /** Starts clients until one is connected to this server. */
    ClientProcess start(String name) {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            ClientProcess client = stage.client(name + "-" + attempt, beginning());
            if (has(stage.await(Kind.READY, client, 0).text("session"))) {
                return client;
            }
        }
        throw new AssertionError(
                "none of %d clients began at %s: nothing was tested".formatted(ATTEMPTS, server.name()));
    }

    boolean has(String session) {
        return stage.ensemble().connection(server, session).isPresent();
    }

    /** A client learns of the other servers from its first one, but for an application: it knows those it was told of. */
    private String beginning() {
        if (stage.variant().surface() == Surface.REGISTRY) {
            return server.connectString();
        }
        ServerProcess other = stage.ensemble().servers().stream()
                .filter(one -> !one.equals(server))
                .findFirst()
                .orElseThrow();
        return server.connectString() + "," + other.connectString();
    }
}
