package io.github.zklock.faults.cluster;

import java.nio.file.Path;
import java.util.Optional;

/** Chooses between the two networks: namespaces if possible, otherwise relays. */
public final class Networks {

    private static final String VARIABLE = "FAULTS_NETWORK";
    private static final String RELAYS = "relays";

    // the reason against namespaces
    private static final Optional<String> OBSTACLE =
            RELAYS.equals(System.getenv(VARIABLE)) ? Optional.of(VARIABLE + " demands it") : Namespaces.obstacle();

    private Networks() {}

    /** Names the network and, for relays, the reason. */
    public static String description() {
        return OBSTACLE.map(obstacle -> RELAYS + ", as " + obstacle).orElse("namespaces");
    }

    /** @param folder for files that the servers need */
    static Network open(int servers, Path folder) {
        return OBSTACLE.isEmpty() ? new Namespaces(servers) : new Relays(servers, folder);
    }
}
