package io.github.zklock.leadership;

import io.github.zklock.Leadership;
import java.util.Collection;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** The leaderships that a context can use. */
public final class Leaderships {

    private Leaderships() {}

    /**
     * Returns the singletons of the context and of its ancestors. A request for a bean of another scope would create a
     * further candidate.
     */
    public static Collection<Leadership> of(ListableBeanFactory beans) {
        return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, Leadership.class, false, true)
                .values();
    }
}
