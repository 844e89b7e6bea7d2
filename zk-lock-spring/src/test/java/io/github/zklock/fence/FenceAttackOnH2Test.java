package io.github.zklock.fence;

class FenceAttackOnH2Test extends FenceAttackTests {

    @Override
    TestDatabase createDatabase() {
        return new TestDatabase(
                "jdbc:h2:mem:attacked;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=1000",
                "h2",
                "select count(*) from information_schema.sessions where blocker_id is not null");
    }
}
