package io.github.zklock.autoconfigure.leadership;

import io.github.zklock.Leadership;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import io.github.zklock.autoconfigure.ZkLockProperties.LeadershipRule;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Registers a {@link Leadership} bean for each entry of {@code zk.lock.leadership}. */
final class LeadershipRegistrar implements BeanRegistrar {

    private static final String PROPERTY = "zk.lock.leadership";
    /** A bean whose name begins with a slash would be a handler of web requests. */
    private static final String PREFIX = "leadership:";

    @Override
    public void register(BeanRegistry registry, Environment environment) {
        if (!environment.getProperty("zk.lock.enabled", Boolean.class, true)) {
            return;
        }
        List<LeadershipRule> rules = Binder.get(environment)
                .bind(PROPERTY, Bindable.listOf(LeadershipRule.class))
                .orElse(List.of());
        Set<LockName> names = new HashSet<>();
        for (int i = 0; i < rules.size(); i++) {
            String property = PROPERTY + "[" + i + "].name";
            LockName name = name(property, rules.get(i).getName());
            if (!names.add(name)) {
                throw new InvalidZkLockPropertyException(
                        property, name + " is the name of an earlier entry", "remove one of them");
            }
            registry.registerBean(
                    PREFIX + name,
                    Leadership.class,
                    bean -> bean.supplier(
                            beans -> beans.bean(LockRegistry.class).leadership(name.value())));
        }
    }

    private static LockName name(String property, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new InvalidZkLockPropertyException(property, "is empty", "name the leadership, such as /reports");
        }
        try {
            return LockName.of(value);
        } catch (IllegalArgumentException unusable) {
            throw new InvalidZkLockPropertyException(
                    property,
                    "'" + value + "' is not a name of a leadership: " + unusable.getMessage(),
                    "use a path such as /reports");
        }
    }
}
