package io.github.zklock.test.autoconfigure;

import io.github.zklock.OnClose;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import java.time.Duration;
import java.util.function.Consumer;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Makes processes of a cluster in memory, like those that {@code zk.lock.*} describes. */
final class MemberAssembly {

    private MemberAssembly() {}

    static InMemoryLockRegistry join(InMemoryLockCluster cluster, Environment environment) {
        Binder binder = Binder.get(environment);
        InMemoryLockRegistry.Builder builder = InMemoryLockRegistry.builder().cluster(cluster);
        binder.bind("zk.lock.instance-id", String.class).ifBound(builder::instance);
        binder.bind("zk.lock.on-close", OnClose.class).ifBound(builder::onClose);
        duration(binder, "session-timeout", builder::sessionTimeout);
        duration(binder, "connection-timeout", builder::connectionTimeout);
        duration(binder, "max-hold", builder::maxHold);
        duration(binder, "hold-warning-threshold", builder::holdWarning);
        return builder.build();
    }

    /** Zero switches off, which is the default in memory. */
    private static void duration(Binder binder, String property, Consumer<Duration> setting) {
        binder.bind("zk.lock." + property, Duration.class).ifBound(value -> {
            if (!value.isZero()) {
                setting.accept(value);
            }
        });
    }
}
