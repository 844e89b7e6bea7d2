package io.github.zklock.fence;

class FenceAttackOnH2Test extends FenceAttackTests {

    static final String URL = "jdbc:h2:mem:attacked;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=1000";

    @Override
    TestDatabase createDatabase() {
        return new TestDatabase(
                URL, "h2", "select count(*) from information_schema.sessions where blocker_id is not null");
    }
}
