package com.example.ordershop.order;

import com.example.ordershop.statistics.Sale;
import com.example.ordershop.statistics.StatisticsService;
import com.example.ordershop.stock.Product;
import com.example.ordershop.stock.StockService;
import io.github.zklock.annotation.DistributedLock;
import java.time.LocalDate;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.web.server.ResponseStatusException;

@Service
class OrderService {

    private final OrderRepository orders;
    private final StockService stock;
    private final StatisticsService statistics;

    OrderService(OrderRepository orders, StockService stock, StatisticsService statistics) {
        this.orders = orders;
        this.stock = stock;
        this.statistics = statistics;
    }

    Order place(LocalDate day, String productName, int quantity) {
        Product product = stock.product(productName);
        return orders.add(day, product.name(), quantity, product.priceCents() * quantity);
    }

    /**
     * Completes an order under a lock of that order: a second click, possibly on another instance, waits for the first one
     * and is rejected. Different orders share only the lock of the statistics.
     *
     * @throws io.github.zklock.LockLostException if a lock was lost; nothing was changed
     */
    @DistributedLock("/orders/#{#orderId}")
    Completion complete(long orderId) {
        Order order = find(orderId);
        Sale sale = new Sale(order.id(), order.day(), order.product(), order.amountCents());
        return new Completion(orderId, statistics.add(sale, null).toString());
    }

    private Order find(long id) {
        return orders.find(id)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no order " + id));
    }
}
