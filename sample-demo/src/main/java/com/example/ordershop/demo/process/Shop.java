package com.example.ordershop.demo.process;

/** A running shop: its process, which can be paused and killed, and its HTTP client. */
public record Shop(ChildJvm process, ShopClient client) {

    @Override
    public String toString() {
        return process.toString();
    }
}
