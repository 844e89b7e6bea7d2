package io.github.zklock.autoconfigure.leadership;

import io.github.zklock.Leadership;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Registers a {@link Leadership} bean for each name in {@code zk.lock.leadership}. */
final class LeadershipRegistrar implements BeanRegistrar {

    private static final String PROPERTY = "zk.lock.leadership";
    /** A bean whose name begins with a slash would be a handler of web requests. */
    private static final String PREFIX = "leadership:";

    @Override
    public void register(BeanRegistry registry, Environment environment) {
        if (!environment.getProperty("zk.lock.enabled", Boolean.class, true)) {
            return;
        }
        List<String> texts = Binder.get(environment)
                .bind(PROPERTY, Bindable.listOf(String.class))
                .orElse(List.of());
        Set<LockName> names = new HashSet<>();
        for (int i = 0; i < texts.size(); i++) {
            String property = PROPERTY + "[" + i + "]";
            LockName name = name(property, texts.get(i));
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

    private static LockName name(String property, String value) {
        if (value.isBlank()) {
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
