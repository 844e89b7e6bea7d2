package io.github.zklock.fence;

/** The differences of databases that matter for the fence table. */
enum Dialect {
    POSTGRESQL("on conflict do nothing", "", true),
    /** Reads the latest row by a locking read: a plain read would fix the snapshot of the transaction. */
    MYSQL("on duplicate key update lock_name = lock_name", " for update", true),
    /** Has a limit of lock waits by default. A query timeout would apply to all later statements of the connection. */
    H2("", "", false),
    OTHER("", "", true);

    /** What makes an insert of an existing row succeed without effect; empty if a savepoint has to undo it. */
    final String ifAbsent;

    final String lockingRead;
    final boolean needsQueryTimeout;

    Dialect(String ifAbsent, String lockingRead, boolean needsQueryTimeout) {
        this.ifAbsent = ifAbsent;
        this.lockingRead = lockingRead;
        this.needsQueryTimeout = needsQueryTimeout;
    }

    static Dialect of(String product) {
        return switch (product) {
            case "PostgreSQL" -> POSTGRESQL;
            case "MySQL", "MariaDB" -> MYSQL;
            case "H2" -> H2;
            default -> OTHER;
        };
    }
}
