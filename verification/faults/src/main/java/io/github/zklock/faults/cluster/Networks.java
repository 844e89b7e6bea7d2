package io.github.zklock.faults.cluster;

import java.nio.file.Path;
import java.util.Optional;

/** The two networks that there are, of which the better one that can be had here is used. */
public final class Networks {

    private static final String VARIABLE = "FAULTS_NETWORK";
    private static final String RELAYS = "relays";

    // what stands against namespaces
    private static final Optional<String> OBSTACLE =
            RELAYS.equals(System.getenv(VARIABLE)) ? Optional.of(VARIABLE + " says so") : Namespaces.obstacle();

    private Networks() {}

    /** Which one is used, and if it is the lesser one, why. */
    public static String description() {
        return OBSTACLE.map(obstacle -> RELAYS + ", as " + obstacle).orElse("namespaces");
    }

    /** @param folder for files that the servers need */
    static Network open(int servers, Path folder) {
        return OBSTACLE.isEmpty() ? new Namespaces(servers) : new Relays(servers, folder);
    }
}
