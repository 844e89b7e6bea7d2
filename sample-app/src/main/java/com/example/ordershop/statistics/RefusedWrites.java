package com.example.ordershop.statistics;

import com.example.ordershop.ShopProperties;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The writes that the database has refused, because their writer had lost the lock. */
@Repository
public class RefusedWrites {

    private static final String INSERT = """
            insert into refused_write (sales_day, product, order_id, token, instance, refused_at)
            values (:day, :product, :orderId, :token, :instance, :at)""";

    private final JdbcClient jdbc;
    private final ShopProperties shop;

    RefusedWrites(JdbcClient jdbc, ShopProperties shop) {
        this.jdbc = jdbc;
        this.shop = shop;
    }

    /**
     * Keeps the refusal. To be called outside the lock: a thread that has lost its lock cannot commit anything under it,
     * not even this.
     */
    @Transactional
    public void record(Sale sale, StaleWriteException refusal) {
        jdbc.sql(INSERT)
                .param("day", sale.day())
                .param("product", sale.product())
                .param("orderId", sale.orderId())
                .param("token", refusal.token().value())
                .param("instance", shop.instance())
                .param("at", OffsetDateTime.now(ZoneOffset.UTC))
                .update();
    }
}
