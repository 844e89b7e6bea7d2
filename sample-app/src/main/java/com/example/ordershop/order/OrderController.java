package com.example.ordershop.order;

import com.example.ordershop.stock.StockService;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/orders")
record OrderController(OrderService orders) {

    /** @param day today if it is null */
    record OrderRequest(
            @Nullable LocalDate day,
            @Nullable String product,
            @Nullable Integer quantity) {}

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Order place(@RequestBody OrderRequest request) {
        LocalDate day = request.day() == null ? LocalDate.now(ZoneId.systemDefault()) : request.day();
        String product = request.product() == null ? "" : request.product();
        return orders.place(day, product, StockService.checkedQuantity(request.quantity()));
    }

    @PostMapping("/{id}/complete")
    Completion complete(@PathVariable long id) {
        return orders.complete(id);
    }
}
