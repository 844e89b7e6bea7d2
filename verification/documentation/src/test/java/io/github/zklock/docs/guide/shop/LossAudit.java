package io.github.zklock.docs.guide.shop;

import io.github.zklock.LockLostException;
import io.github.zklock.annotation.CommitDespiteLockLoss;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

class LossAudit {

    private final JdbcClient database;

    LossAudit(JdbcClient database) {
        this.database = database;
    }

    // snippet:record
    @CommitDespiteLockLoss
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void recordLoss(LockLostException loss) {
        database.sql("insert into losses (lock_name) values (?)")
                .param(loss.name().value())
                .update();
    }
    // end:record
}
