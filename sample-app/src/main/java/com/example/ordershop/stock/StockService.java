package com.example.ordershop.stock;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.web.server.ResponseStatusException;

/** The stock of each product, under a lock that is acquired without an annotation. */
@Service
public class StockService {

    record Taken(String product, int quantity, int left) {}

    private static final Duration MAX_WAIT = Duration.ofSeconds(2);
    private static final int MAX_QUANTITY = 100;

    private final LockRegistry locks;
    private final ProductRepository products;

    StockService(LockRegistry locks, ProductRepository products) {
        this.locks = locks;
        this.products = products;
    }

    /** Returns the product of this name; fails with status 400 if there is none. */
    public Product product(String name) {
        return products.findById(name).orElseThrow(() -> {
            String all = products.findAll().stream().map(Product::name).sorted().collect(Collectors.joining(", "));
            return badRequest("product '" + name + "' is unknown: the shop has " + all);
        });
    }

    /** Returns the quantity of a request; fails with status 400 if it is missing or out of range. */
    public static int checkedQuantity(@Nullable Integer quantity) {
        if (quantity == null || quantity < 1 || quantity > MAX_QUANTITY) {
            throw badRequest("quantity is " + (quantity == null ? "missing" : quantity) + ": it must be between 1 and "
                    + MAX_QUANTITY);
        }
        return quantity;
    }

    /**
     * Takes pieces from the stock under the lock of the product. The read and the write use the token of the handle.
     *
     * @throws io.github.zklock.LockTimeoutException if the lock is not acquired within 2 s
     * @throws LockLostException if a later holder has claimed the product; nothing was changed
     */
    Taken take(String name, int quantity) throws InterruptedException {
        String product = product(name).name();
        try (LockHandle handle = locks.lock("/stock/" + product).acquire(MAX_WAIT)) {
            int left = claim(product, handle);
            if (left < quantity) {
                throw new ResponseStatusException(
                        HttpStatus.CONFLICT, "There are " + left + " pieces of " + product + " left, not " + quantity);
            }
            handle.ensureHeld();
            write(product, left - quantity, handle);
            return new Taken(product, quantity, left - quantity);
        }
    }

    int claim(String product, LockHandle handle) {
        failIfNone(products.claim(product, handle.fencingToken().value()), product, handle);
        return product(product).left();
    }

    void write(String product, int left, LockHandle handle) {
        failIfNone(products.write(product, left, handle.fencingToken().value()), product, handle);
    }

    private static void failIfNone(int rows, String product, LockHandle handle) {
        if (rows == 0) {
            throw new LockLostException(
                    handle.name(),
                    "Stock of " + product + " not written with token " + handle.fencingToken()
                            + ": a later holder of lock '" + handle.name() + "' has claimed it");
        }
    }

    private static ResponseStatusException badRequest(String reason) {
        return new ResponseStatusException(HttpStatus.BAD_REQUEST, reason);
    }
}
