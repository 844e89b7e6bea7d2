package io.github.zklock.docs.guide.shop;

import java.time.LocalDate;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {

    private final OrderService orders;

    OrderController(OrderService orders) {
        this.orders = orders;
    }

    @PostMapping("/orders/{id}/complete")
    void complete(@PathVariable long id) {
        orders.complete(new Order(id, LocalDate.of(2026, 11, 23), 500));
    }
}
