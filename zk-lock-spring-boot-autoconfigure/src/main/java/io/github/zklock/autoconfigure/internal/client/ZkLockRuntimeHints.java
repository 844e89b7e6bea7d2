package io.github.zklock.autoconfigure.internal.client;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Native-image hints for classes that ZooKeeper's client, Curator and the lock engine access by name. An application
 * provides the hints for extensions that it names in {@code zookeeper.*} properties.
 */
final class ZkLockRuntimeHints implements RuntimeHintsRegistrar {

    private static final List<String> SOCKETS =
            List.of("org.apache.zookeeper.ClientCnxnSocketNIO", "org.apache.zookeeper.ClientCnxnSocketNetty");

    /** A registry reads the credentials of a client of the application from the fields of these classes. */
    private static final List<String> WITH_CREDENTIALS = List.of(
            "org.apache.zookeeper.ZooKeeper",
            "org.apache.zookeeper.ClientCnxn",
            "org.apache.zookeeper.ClientCnxn$AuthData");

    /** The fence reads the property dataSource of these classes. */
    private static final List<String> TRANSACTION_MANAGERS = List.of(
            "org.springframework.jdbc.datasource.DataSourceTransactionManager",
            "org.springframework.jdbc.support.JdbcTransactionManager",
            "org.springframework.orm.jpa.JpaTransactionManager",
            "org.springframework.orm.jpa.hibernate.HibernateTransactionManager");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        ReflectionHints reflection = hints.reflection();
        SOCKETS.forEach(socket ->
                reflection.registerTypeIfPresent(classLoader, socket, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS));
        WITH_CREDENTIALS.forEach(
                type -> reflection.registerTypeIfPresent(classLoader, type, MemberCategory.ACCESS_DECLARED_FIELDS));
        TRANSACTION_MANAGERS.forEach(
                type -> reflection.registerTypeIfPresent(classLoader, type, MemberCategory.INVOKE_PUBLIC_METHODS));
        hints.resources().registerPattern("io/github/zklock/fence/schema-*.sql");
        // Curator detects the version of ZooKeeper by the presence of these classes
        reflection.registerTypeIfPresent(classLoader, "org.apache.zookeeper.AddWatchMode");
        reflection.registerTypeIfPresent(
                classLoader,
                "org.apache.zookeeper.server.quorum.MultipleAddresses",
                MemberCategory.INVOKE_PUBLIC_METHODS);
        reflection.registerTypeIfPresent(
                classLoader,
                "org.apache.zookeeper.server.quorum.QuorumPeer$QuorumServer",
                MemberCategory.ACCESS_PUBLIC_FIELDS);
    }
}
