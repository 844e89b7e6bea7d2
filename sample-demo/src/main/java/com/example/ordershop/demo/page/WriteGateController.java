package com.example.ordershop.demo.page;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/gate")
final class WriteGateController {

    private final WriteGate gate;

    WriteGateController(WriteGate gate) {
        this.gate = gate;
    }

    @GetMapping
    WriteGate.State state() {
        return gate.state();
    }

    @PostMapping("/close")
    WriteGate.State close() {
        return gate.close();
    }

    @PostMapping("/open")
    WriteGate.State open() {
        return gate.open();
    }
}
