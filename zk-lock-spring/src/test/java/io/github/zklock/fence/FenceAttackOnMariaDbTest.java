package io.github.zklock.fence;

import io.github.zklock.fixture.DatabaseServer;
import io.github.zklock.fixture.DatabaseServer.Product;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;

/** Skipped if the machine has no such server. */
@Tag("processes")
class FenceAttackOnMariaDbTest extends FenceAttackTests {

    private @Nullable DatabaseServer server;

    @Override
    TestDatabase createDatabase() {
        server = DatabaseServer.start(Product.MARIADB)
                .orElseGet(() -> Assumptions.abort("The package of this server is not installed"));
        return new TestDatabase(
                server.url(),
                "mariadb",
                "select count(*) from information_schema.innodb_trx where trx_state = 'LOCK WAIT'");
    }

    @Override
    void stopDatabase() {
        if (server != null) {
            server.close();
        }
    }
}
