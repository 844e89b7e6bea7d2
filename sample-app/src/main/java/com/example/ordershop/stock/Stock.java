package com.example.ordershop.stock;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.time.Duration;
import org.springframework.stereotype.Service;

/** What is left of each product. */
@Service
class Stock {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final LockRegistry locks;
    private final Catalogue catalogue;
    private final StockTable table;

    Stock(LockRegistry locks, Catalogue catalogue, StockTable table) {
        this.locks = locks;
        this.catalogue = catalogue;
        this.table = table;
    }

    /**
     * Takes pieces from the shelf, under a lock of the product that is acquired by hand: here the lock is an object, which
     * can be asked whether it still holds, and is given back when the block is left. Reading and writing bear its token.
     *
     * <p>Customers are impatient: after two seconds behind others they get a
     * {@link io.github.zklock.LockTimeoutException}, whatever the application's wait time is.
     *
     * @throws InvalidInputException if the shop does not sell it
     * @throws OutOfStockException if less is left
     */
    Taken take(String name, Quantity quantity) throws InterruptedException {
        Product product = catalogue.product(name);
        try (LockHandle handle = locks.lock("/stock/" + product.name()).acquire(PATIENCE)) {
            int left = table.claim(product, handle);
            if (left < quantity.value()) {
                throw new OutOfStockException(product.name(), left, quantity);
            }
            handle.ensureHeld();
            table.write(product, left - quantity.value(), handle);
            return new Taken(product.name(), quantity.value(), left - quantity.value());
        }
    }
}
