package io.github.zklock.autoconfigure.fence;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if the application sets names of locks or data sources of the fence. */
final class FenceRequested implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Binder binder = Binder.get(context.getEnvironment());
        Bindable<String[]> list = Bindable.of(String[].class);
        return binder.bind("zk.lock.fence.jdbc.names", list).orElse(new String[0]).length > 0
                || binder.bind("zk.lock.fence.jdbc.data-sources", list).orElse(new String[0]).length > 0;
    }
}
