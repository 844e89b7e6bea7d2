package io.github.zklock.autoconfigure.fence;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The data sources whose transactions are fenced, by their bean names.
 */
record FencedDataSources(Map<String, DataSource> byName) {

    private static final String PROPERTY = ZkLockFenceProperties.PREFIX + ".data-sources";

    /**
     * Finds the named data sources, or the only or primary one if no name is given.
     *
     * @throws InvalidZkLockPropertyException if a bean is no data source, or if it is not clear which one is meant
     */
    static FencedDataSources of(List<String> names, ListableBeanFactory beans) {
        Map<String, DataSource> found = new LinkedHashMap<>();
        if (names.isEmpty()) {
            DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
            if (only == null) {
                List<String> candidates = List.of(beans.getBeanNamesForType(DataSource.class));
                throw new InvalidZkLockPropertyException(
                        PROPERTY,
                        candidates.isEmpty()
                                ? "is not set, and there is no DataSource bean"
                                : "is not set, and none of the data sources " + candidates + " is primary",
                        "name the data sources whose transactions are fenced");
            }
            beans.getBeansOfType(DataSource.class).forEach((name, source) -> {
                if (source == only) {
                    found.put(name, source);
                }
            });
        }
        for (String name : names) {
            if (!beans.containsBean(name) || !beans.isTypeMatch(name, DataSource.class)) {
                Class<?> type = beans.containsBean(name) ? beans.getType(name) : null;
                throw new InvalidZkLockPropertyException(
                        PROPERTY,
                        type == null
                                ? "names '" + name + "', but there is no such bean"
                                : "names '" + name + "', which is a " + type.getSimpleName()
                                        + " and no JDBC DataSource; reactive transactions (R2DBC) cannot be fenced",
                        "name DataSource beans");
            }
            found.put(name, beans.getBean(name, DataSource.class));
        }
        return new FencedDataSources(found);
    }
}
