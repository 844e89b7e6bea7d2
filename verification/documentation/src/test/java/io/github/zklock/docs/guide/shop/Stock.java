package io.github.zklock.docs.guide.shop;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

// snippet:service
@Service
class Stock {

    private final LockRegistry locks;
    private final JdbcClient jdbc;

    Stock(LockRegistry locks, JdbcClient jdbc) {
        this.locks = locks;
        this.jdbc = jdbc;
    }

    boolean take(String product) throws InterruptedException {
        try (LockHandle handle = locks.lock("/stock/" + product).acquire(Duration.ofSeconds(2))) {
            int left = remaining(product);
            handle.ensureHeld(); // or LockLostException
            return left > 0 && store(product, left - 1);
        }
    }
    // end:service

    private int remaining(String product) {
        return jdbc.sql("select remaining from stock where product = ?")
                .param(product)
                .query(Integer.class)
                .single();
    }

    private boolean store(String product, int left) {
        return jdbc.sql("update stock set remaining = ? where product = ?")
                        .params(left, product)
                        .update()
                == 1;
    }
    // snippet:service
}
// end:service
