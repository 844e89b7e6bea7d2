package io.github.zklock.fence;

import io.github.zklock.fixture.DatabaseServer;
import io.github.zklock.fixture.DatabaseServer.Product;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;

/** Skipped if the machine has no such server. */
@Tag("processes")
class FenceAttackOnPostgreSqlTest extends FenceAttackTests {

    private @Nullable DatabaseServer server;

    @Override
    TestDatabase createDatabase() {
        server = DatabaseServer.start(Product.POSTGRESQL)
                .orElseGet(() -> Assumptions.abort("The package of this server is not installed"));
        return new TestDatabase(
                server.url(), "postgresql", "select count(*) from pg_stat_activity where wait_event_type = 'Lock'");
    }

    @Override
    void stopDatabase() {
        if (server != null) {
            server.close();
        }
    }
}
