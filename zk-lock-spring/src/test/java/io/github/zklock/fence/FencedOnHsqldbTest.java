package io.github.zklock.fence;

class FencedOnHsqldbTest extends FencedTransactionTests {

    @Override
    TestDatabase createDatabase() {
        return new TestDatabase(
                "jdbc:hsqldb:mem:fenced;hsqldb.tx=mvcc",
                "hsqldb",
                "select count(*) from information_schema.system_sessions where this_waiting_for <> ''");
    }
}
