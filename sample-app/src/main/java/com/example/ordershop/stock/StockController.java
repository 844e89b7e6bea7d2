package com.example.ordershop.stock;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class StockController {

    /** What a customer asks for, before anybody has looked at it. */
    record Wish(@Nullable Integer quantity) {}

    private final Stock stock;

    StockController(Stock stock) {
        this.stock = stock;
    }

    @PostMapping("/stock/{product}/take")
    Taken take(@PathVariable String product, @RequestBody Wish wish) throws InterruptedException {
        return stock.take(product, Quantity.of(wish.quantity()));
    }
}
