package io.github.zklock.leadership;

import io.github.zklock.Leadership;
import java.util.Collection;
import org.springframework.beans.factory.ListableBeanFactory;

/** The leaderships of a context. */
public final class Leaderships {

    private Leaderships() {}

    /** Returns the singletons: a request for a bean of another scope would create a further candidate. */
    public static Collection<Leadership> of(ListableBeanFactory beans) {
        return beans.getBeansOfType(Leadership.class, false, true).values();
    }
}
