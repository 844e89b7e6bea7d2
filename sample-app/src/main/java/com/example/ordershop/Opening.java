package com.example.ordershop;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Says where the shop is, as the last line of the start. */
@Component
class Opening {

    private volatile int port;

    @EventListener
    void listening(WebServerInitializedEvent event) {
        port = event.getWebServer().getPort();
    }

    @EventListener(ApplicationReadyEvent.class)
    void open() {
        System.out.println("The shop is open: http://localhost:" + port);
    }

    /** On which this instance listens. */
    int port() {
        return port;
    }
}
