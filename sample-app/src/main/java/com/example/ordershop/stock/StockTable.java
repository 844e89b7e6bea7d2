package com.example.ordershop.stock;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The shelf in the database. */
@Repository
class StockTable {

    private static final String CLAIM = "update product set fence = :token where name = :name and fence < :token";

    private static final String WRITE = "update product set left_over = :left where name = :name and fence = :token";

    private final JdbcClient jdbc;

    StockTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * What is left, and stays until somebody with a newer token comes: nobody with an older one writes from now on.
     *
     * @throws LockLostException if somebody with a newer token has come before, so that this lock has been lost
     */
    @Transactional
    int claim(Product product, LockHandle handle) {
        int claimed = jdbc.sql(CLAIM)
                .param("name", product.name())
                .param("token", handle.fencingToken().value())
                .update();
        check(claimed, product, handle);
        return jdbc.sql("select left_over from product where name = :name")
                .param("name", product.name())
                .query(Integer.class)
                .single();
    }

    /**
     * Writes what is left of a product that was claimed with the token of this handle.
     *
     * @throws LockLostException if somebody with a newer token has come since, so that this lock has been lost
     */
    @Transactional
    void write(Product product, int left, LockHandle handle) {
        int written = jdbc.sql(WRITE)
                .param("name", product.name())
                .param("left", left)
                .param("token", handle.fencingToken().value())
                .update();
        check(written, product, handle);
    }

    private static void check(int rows, Product product, LockHandle handle) {
        if (rows == 0) {
            throw new LockLostException(
                    handle.name(),
                    "Stock of " + product.name() + " not written with token " + handle.fencingToken()
                            + ": a later holder of lock '" + handle.name() + "' has claimed it");
        }
    }
}
