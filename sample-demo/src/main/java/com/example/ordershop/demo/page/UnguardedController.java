package com.example.ordershop.demo.page;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Completes orders without a lock and without a fencing token. Each of the three steps (read, compute, write) is correct, but
 * two instances that read the same row at the same time lose one of their orders.
 */
@RestController
final class UnguardedController {

    /** @param token always null: there is no lock */
    record Completion(long id, @Nullable String token) {}

    private record Order(long id, LocalDate day, String product, long amountCents) {}

    private record Row(LocalDate day, String product, long orders, long amountCents) {}

    private static final String ORDER = """
            select id, sales_day as "day", product, amount_cents from orders where id = :id""";

    private static final String CREATE = """
            insert into order_stats (sales_day, product, orders, amount_cents)
            values (:day, :product, 0, 0) on conflict do nothing""";

    private static final String READ = """
            select sales_day as "day", product, orders, amount_cents from order_stats
            where sales_day = :day and product = :product""";

    private static final String WRITE = """
            update order_stats set orders = :orders, amount_cents = :amountCents
            where sales_day = :day and product = :product""";

    private final JdbcClient jdbc;
    private final TransactionOperations transactions;
    private final WriteGate gate;

    UnguardedController(JdbcClient jdbc, TransactionOperations transactions, WriteGate gate) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.gate = gate;
    }

    @PostMapping("/orders/{id}/complete-without-lock")
    Completion complete(@PathVariable long id) {
        Order order = jdbc.sql(ORDER)
                .param("id", id)
                .query(Order.class)
                .optional()
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no order " + id));
        Row row = read(order);
        Row computed = new Row(order.day(), order.product(), row.orders() + 1, row.amountCents() + order.amountCents());
        gate.pass();
        transactions.executeWithoutResult(transaction -> write(order, computed));
        return new Completion(id, null);
    }

    private Row read(Order order) {
        jdbc.sql(CREATE).paramSource(order).update();
        return jdbc.sql(READ).paramSource(order).query(Row.class).single();
    }

    private void write(Order order, Row row) {
        jdbc.sql(WRITE).paramSource(row).update();
        int marked = jdbc.sql("update orders set completed = true where id = :id and not completed")
                .paramSource(order)
                .update();
        if (marked == 0) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "Order " + order.id() + " is already completed");
        }
    }
}
