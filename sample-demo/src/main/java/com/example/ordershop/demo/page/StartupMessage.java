package com.example.ordershop.demo.page;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Prints the address of the shop as the last line of the start. */
@Component
class StartupMessage {

    private volatile int port;

    @EventListener
    void listening(WebServerInitializedEvent event) {
        port = event.getWebServer().getPort();
    }

    @EventListener(ApplicationReadyEvent.class)
    void print() {
        System.out.println("The shop is open: http://localhost:" + port);
    }

    /** Returns the port of this instance. */
    int port() {
        return port;
    }
}
