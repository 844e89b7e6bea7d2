package io.github.zklock.test.autoconfigure;

import io.github.zklock.LockContext;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import java.time.Duration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A typical application. */
@SpringBootConfiguration
@EnableAutoConfiguration
class Shop {

    static final String STATS = "/order-stats";

    @Bean
    OrderStats orderStats(LockRegistry locks) {
        return new OrderStats(locks);
    }

    @Bean
    PlatformTransactionManager transactionManager() {
        return new NoDatabase();
    }

    /** Counts orders under a lock. */
    static class OrderStats {

        private final LockRegistry locks;
        private int orders;

        OrderStats(LockRegistry locks) {
            this.locks = locks;
        }

        @DistributedLock(name = STATS, waitTime = "${shop.patience:10s}")
        public int count() {
            return countedOnce();
        }

        /** Counts if the lock is free. */
        @DistributedLock(name = STATS, waitTime = "0")
        public int countAtOnce() {
            return countedOnce();
        }

        /** Counts without the annotation. */
        int countDirectly() throws InterruptedException {
            return locks.executeLocked(STATS, Duration.ofSeconds(10), handle -> countedOnce());
        }

        private int countedOnce() {
            LockContext.assertHeld(STATS);
            orders++;
            return orders;
        }
    }

    /** The controller of a web slice. */
    @RestController
    static class StatsController {

        @GetMapping("/stats/{shop}")
        @DistributedLock("/stats/#{#shop}")
        String stats(@PathVariable String shop) {
            return "held: " + LockContext.current("/stats/" + shop).isPresent();
        }
    }

    /** Transactions without a database. */
    private static final class NoDatabase extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
