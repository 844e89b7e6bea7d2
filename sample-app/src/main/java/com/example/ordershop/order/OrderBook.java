package com.example.ordershop.order;

import com.example.ordershop.stock.Product;
import com.example.ordershop.stock.Quantity;
import java.time.LocalDate;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** All orders, in the database. */
@Repository
class OrderBook {

    private static final String INSERT = """
            insert into orders (sales_day, product, quantity, amount_cents)
            values (:day, :product, :quantity, :amountCents)""";

    private static final String SELECT = """
            select id, sales_day as "day", product, quantity, amount_cents, completed from orders
            where id = :id""";

    private final JdbcClient jdbc;

    OrderBook(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    Order add(LocalDate day, Product product, Quantity quantity) {
        KeyHolder id = new GeneratedKeyHolder();
        jdbc.sql(INSERT)
                .param("day", day)
                .param("product", product.name())
                .param("quantity", quantity.value())
                .param("amountCents", product.priceCents() * quantity.value())
                .update(id, "id");
        return find(Objects.requireNonNull(id.getKeyAs(Long.class), "id"));
    }

    /** @throws NoSuchOrderException if there is none */
    @Transactional(readOnly = true)
    Order find(long id) {
        return jdbc.sql(SELECT)
                .param("id", id)
                .query(Order.class)
                .optional()
                .orElseThrow(() -> new NoSuchOrderException(id));
    }
}
