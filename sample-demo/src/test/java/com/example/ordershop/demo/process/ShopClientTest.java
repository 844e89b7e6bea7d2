package com.example.ordershop.demo.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.example.ordershop.demo.process.ShopClient.Completion;
import com.example.ordershop.demo.process.ShopClient.Order;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShopClientTest {

    private static final Order ORDER = new Order(7);

    private HttpServer shop;
    private ShopClient client;

    @BeforeEach
    void open() throws IOException {
        shop = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        shop.start();
        client =
                new ShopClient("shop-1", "http://localhost:" + shop.getAddress().getPort());
    }

    @AfterEach
    void close() {
        shop.stop(0);
    }

    @Test
    void anOrderWhoseLockWasLostCanBeRepeated() throws InterruptedException {
        answers(503, "{\"title\":\"Lock lost\", \"status\":503, \"lock\":\"/order-stats\"}");

        Completion completion = client.complete(ORDER, true);

        assertThat(completion).isEqualTo(new Completion(7, false, 0));
    }

    @Test
    void everyOtherErrorIsAFailureWithTheShopsReason() {
        answers(503, "{\"title\":\"Busy\", \"detail\":\"Lock '/order-stats' not acquired within 2 min\"}");

        assertThatExceptionOfType(ScenarioException.class)
                .isThrownBy(() -> client.complete(ORDER, true))
                .withMessageContaining("shop-1, POST /orders/7/complete: 503 ")
                .withMessageContaining("not acquired within 2 min");
    }

    private void answers(int status, String body) {
        shop.createContext("/orders/7/complete", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }
}
