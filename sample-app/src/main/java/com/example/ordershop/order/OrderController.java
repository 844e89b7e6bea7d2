package com.example.ordershop.order;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/orders")
final class OrderController {

    private final OrderDesk desk;

    OrderController(OrderDesk desk) {
        this.desk = desk;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Order place(@RequestBody OrderRequest request) {
        return desk.place(request);
    }

    @PostMapping("/{id}/complete")
    Completion complete(@PathVariable long id) {
        return desk.complete(id);
    }
}
