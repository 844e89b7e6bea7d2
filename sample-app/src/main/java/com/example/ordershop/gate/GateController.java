package com.example.ordershop.gate;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/gate")
@ConditionalOnBooleanProperty("ordershop.gate")
final class GateController {

    private final ClosableGate gate;

    GateController(ClosableGate gate) {
        this.gate = gate;
    }

    @GetMapping
    ClosableGate.State state() {
        return gate.state();
    }

    @PostMapping("/close")
    ClosableGate.State close() {
        return gate.close();
    }

    @PostMapping("/open")
    ClosableGate.State open() {
        return gate.open();
    }
}
