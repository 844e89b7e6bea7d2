package com.example.ordershop.stock;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
record StockController(StockService stock) {

    record TakeRequest(@Nullable Integer quantity) {}

    @PostMapping("/stock/{product}/take")
    StockService.Taken take(@PathVariable String product, @RequestBody TakeRequest request)
            throws InterruptedException {
        return stock.take(product, StockService.checkedQuantity(request.quantity()));
    }
}
