package io.github.zklock.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** What this process is called in the queues: which application it is, where it runs, and which of several it is. */
public final class InstanceName {

    private InstanceName() {}

    /** Empty if nothing is said, which leaves it to the registry. */
    static Optional<String> of(ZkLockProperties properties, Environment environment) {
        String chosen = properties.getInstanceId();
        if (chosen != null) {
            return Optional.of(chosen);
        }
        String application = environment.getProperty("spring.application.name");
        return StringUtils.hasText(application)
                ? Optional.of(application + "-" + host() + "-"
                        + ProcessHandle.current().pid())
                : Optional.empty();
    }

    /** What a registry that is made of these properties calls this process. */
    public static String orDefault(@Nullable ZkLockProperties properties, Environment environment) {
        return Optional.ofNullable(properties)
                .flatMap(said -> of(said, environment))
                .orElseGet(() -> host() + "-" + ProcessHandle.current().pid());
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "unknown";
        }
    }
}
