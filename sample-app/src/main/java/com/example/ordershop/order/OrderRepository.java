package com.example.ordershop.order;

import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

@Repository
public class OrderRepository {

    private static final String SELECT = """
            select id, sales_day as "day", product, quantity, amount_cents, completed from orders
            """;

    private final JdbcClient jdbc;

    OrderRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    Order add(LocalDate day, String product, int quantity, long amountCents) {
        KeyHolder id = new GeneratedKeyHolder();
        jdbc.sql("insert into orders (sales_day, product, quantity, amount_cents) values (?, ?, ?, ?)")
                .params(day, product, quantity, amountCents)
                .update(id, "id");
        return new Order(Objects.requireNonNull(id.getKeyAs(Long.class)), day, product, quantity, amountCents, false);
    }

    Optional<Order> find(long id) {
        return jdbc.sql(SELECT + "where id = ?").param(id).query(Order.class).optional();
    }

    /** Returns the orders of this day in the order of their numbers. */
    public List<Order> ofDay(LocalDate day) {
        return jdbc.sql(SELECT + "where sales_day = ? order by id")
                .param(day)
                .query(Order.class)
                .list();
    }
}
