package io.github.zklock.autoconfigure.internal.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** The name of this process in the queues. It identifies the application, the host and the process. */
public final class InstanceName {

    private InstanceName() {}

    /**
     * Returns the configured name, or else one that is built from the name of the application; empty if neither is set,
     * so that the registry builds a name.
     */
    public static Optional<String> of(@Nullable String chosen, Environment environment) {
        if (chosen != null) {
            return Optional.of(chosen);
        }
        String application = environment.getProperty("spring.application.name");
        return StringUtils.hasText(application)
                ? Optional.of(application + "-" + host() + "-"
                        + ProcessHandle.current().pid())
                : Optional.empty();
    }

    /** Returns the name that a registry gives this process if none is configured. */
    public static String ofHost() {
        return host() + "-" + ProcessHandle.current().pid();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "unknown";
        }
    }
}
