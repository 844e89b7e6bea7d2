package io.github.zklock.fence;

import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.internal.Words;
import io.github.zklock.support.NamePattern;
import io.github.zklock.transaction.TransactionFence;
import java.beans.PropertyDescriptor;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.ReflectionUtils;

/**
 * Fences JDBC transactions under locks: the first statement of a transaction that begins under an exclusive or write
 * lock raises the row of the lock in the fence table to the token of the holder. If the row has a higher token, a later
 * holder has begun a transaction, and this one is rolled back. The row stays locked until the transaction ends, so the
 * transaction of a later holder waits for it and reads what it has written.
 *
 * <p>Declared as a bean, it applies to all transaction managers that are beans and extend {@code
 * AbstractPlatformTransactionManager}. Read locks, permits, read-only transactions and exempt transactions are not
 * fenced.
 *
 * <p>Not guaranteed: that the database accepts a transaction of the present holder. The transaction of an earlier holder
 * that is paused blocks it, until the database ends that transaction.
 */
// AopInfrastructureBean: an advised fence would run the advice of the application inside of each begin
public final class JdbcFence
        implements TransactionFence, SmartInitializingSingleton, BeanFactoryAware, AopInfrastructureBean {

    /** The name of the table unless another one is configured. */
    public static final String TABLE = "zk_lock_fence";

    private static final Logger LOG = LoggerFactory.getLogger(JdbcFence.class);

    private static final Pattern TABLE_NAME =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*(\\.[A-Za-z_][A-Za-z0-9_$]*){0,2}");

    private static final int LONGEST_HOLDER = 200;

    private final List<NamePattern> names;
    private final List<FencedDataSource> dataSources;
    private final Supplier<String> instance;
    private final Map<PlatformTransactionManager, Optional<Managed>> byManager = new ConcurrentHashMap<>();
    private final LongAdder rejected = new LongAdder();
    private final AtomicReference<@Nullable LateWrite> latest = new AtomicReference<>();
    private @Nullable BeanFactory beans;

    /**
     * The data source of one manager.
     *
     * @param used what the manager calls: the data source or a proxy of it
     */
    private record Managed(FencedDataSource dataSource, DataSource used) {

        @Nullable ConnectionHolder transaction() {
            return dataSource.transactionOf(used);
        }
    }

    /**
     * Creates a fence.
     *
     * @param names names or patterns of the locks
     * @param dataSources the data sources whose transactions are fenced, by their names in messages
     * @param table the name of the fence table, with or without a schema
     * @param instance returns the name of this process, which is stored in the rows for messages
     * @throws IllegalArgumentException if a pattern or the name of the table is invalid, or if there is no data source
     */
    public JdbcFence(
            Collection<String> names, Map<String, DataSource> dataSources, String table, Supplier<String> instance) {
        if (names.isEmpty() || dataSources.isEmpty()) {
            throw new IllegalArgumentException("A fence without names of locks or without data sources has no effect");
        }
        this.names = names.stream().map(NamePattern::new).toList();
        String checked = checkedTable(table);
        this.dataSources = dataSources.entrySet().stream()
                .map(each -> new FencedDataSource(each.getKey(), each.getValue(), checked, this::record))
                .toList();
        this.instance = instance;
    }

    /**
     * Returns the name of a table if it can be used in statements without quotes.
     *
     * @throws IllegalArgumentException if it cannot
     */
    public static String checkedTable(String table) {
        if (!TABLE_NAME.matcher(table).matches()) {
            throw new IllegalArgumentException("Table name '" + table
                    + "' is not a plain SQL name; use letters, digits and underscores, and a dot after the schema");
        }
        return table;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        beans = beanFactory;
    }

    /**
     * Checks that a transaction manager uses each data source, that all that do report their transactions, and that the
     * fence table exists.
     *
     * @throws IllegalStateException if not, so that transactions would not be fenced, or would all fail
     */
    @Override
    public void afterSingletonsInstantiated() {
        if (beans == null) {
            return;
        }
        List<PlatformTransactionManager> managers =
                beans.getBeanProvider(PlatformTransactionManager.class).stream().toList();
        for (FencedDataSource dataSource : dataSources) {
            if (managers.stream().noneMatch(manager -> dataSource.isOf(dataSourceOf(manager)))) {
                throw new IllegalStateException(
                        ("Transactions of data source '%s' cannot be fenced: no transaction manager bean uses it directly."
                                        + " Declare a JdbcTransactionManager or a JpaTransactionManager for it, or leave"
                                        + " it out of zk.lock.fence.jdbc.data-sources. JTA and R2DBC are not supported")
                                .formatted(dataSource.name()));
            }
            managers.stream()
                    .filter(manager -> dataSource.isOf(dataSourceOf(manager)) && !TransactionFence.isCalledBy(manager))
                    .forEach(manager -> {
                        throw new IllegalStateException(
                                ("Transactions of data source '%s' cannot be fenced: the transaction manager %s does not"
                                                + " report them. It has to extend AbstractPlatformTransactionManager. A"
                                                + " bean post-processor that needs the manager creates it too early")
                                        .formatted(
                                                dataSource.name(),
                                                manager.getClass().getName()));
                    });
            dataSource.requireTable();
        }
    }

    @Override
    public boolean covers(LockHandle handle) {
        LockKind kind = handle.kind();
        return (kind == LockKind.EXCLUSIVE || kind == LockKind.WRITE)
                && names.stream().anyMatch(each -> each.matches(handle.name()));
    }

    @Override
    public void begun(PlatformTransactionManager manager, Collection<LockHandle> guards) {
        Managed managed = of(manager);
        if (managed == null) {
            return;
        }
        FencedDataSource dataSource = managed.dataSource();
        ConnectionHolder transaction = managed.transaction();
        if (transaction == null) {
            throw new IllegalStateException(
                    ("Transaction under lock '%s' is not fenced: its transaction manager does not expose the connection of"
                                    + " data source '%s'. With JPA, use a JpaDialect that does, such as that of Hibernate")
                            .formatted(guards.iterator().next().name(), dataSource.name()));
        }
        inOrder(guards).forEach(each -> dataSource.raise(each, holder(), transaction));
    }

    @Override
    public void acquired(Collection<LockHandle> guards) {
        for (FencedDataSource dataSource : dataSources) {
            ConnectionHolder transaction = dataSource.transaction();
            if (transaction != null) {
                inOrder(guards).forEach(each -> dataSource.raiseInside(each, holder(), transaction));
            }
        }
    }

    @Override
    public void beforeCommit(PlatformTransactionManager manager, Collection<LockHandle> guards) {
        Managed managed = of(manager);
        ConnectionHolder transaction = managed == null ? null : managed.transaction();
        if (managed != null && transaction != null) {
            inOrder(guards).forEach(each -> managed.dataSource().ensureRaised(each, holder(), transaction));
        }
    }

    private @Nullable Managed of(PlatformTransactionManager manager) {
        return byManager
                .computeIfAbsent(manager, key -> {
                    DataSource used = dataSourceOf(key);
                    return used == null
                            ? Optional.empty()
                            : dataSources.stream()
                                    .filter(each -> each.isOf(used))
                                    .findFirst()
                                    .map(each -> new Managed(each, used));
                })
                .orElse(null);
    }

    /** Returns how many transactions were rejected because a later holder had passed the fence. */
    public long rejected() {
        return rejected.sum();
    }

    /** Returns the latest of these transactions. */
    public Optional<LateWrite> latest() {
        return Optional.ofNullable(latest.get());
    }

    private void record(LateWrite late) {
        rejected.increment();
        latest.set(late);
        LOG.warn("Late write rejected: {}", late);
    }

    /** Sorts locks by name: two transactions that raised the same rows in different orders would deadlock. */
    private static List<LockHandle> inOrder(Collection<LockHandle> guards) {
        return guards.stream()
                .sorted(Comparator.comparing((LockHandle each) -> each.name().value())
                        .thenComparing(LockHandle::fencingToken))
                .toList();
    }

    private String holder() {
        String holder = instance.get() + ", thread " + Words.nameOf(Thread.currentThread());
        if (holder.length() <= LONGEST_HOLDER) {
            return holder;
        }
        // half a character may be no text for the database
        return holder.substring(
                0, Character.isHighSurrogate(holder.charAt(LONGEST_HOLDER - 1)) ? LONGEST_HOLDER - 1 : LONGEST_HOLDER);
    }

    /** Returns the data source of a manager: JDBC's, JPA's and Hibernate's have a property for it. */
    private static @Nullable DataSource dataSourceOf(PlatformTransactionManager manager) {
        PropertyDescriptor property = BeanUtils.getPropertyDescriptor(manager.getClass(), "dataSource");
        return property != null
                        && property.getReadMethod() != null
                        && ReflectionUtils.invokeMethod(property.getReadMethod(), manager) instanceof DataSource used
                ? used
                : null;
    }
}
