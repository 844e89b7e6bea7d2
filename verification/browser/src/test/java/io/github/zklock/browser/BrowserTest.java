package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@RequiresBrowser
class BrowserTest {

    private static final String PAGE = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Page</title><link rel="icon" href="data:,">
            <style>p { color: black } @media (prefers-color-scheme: dark) { p { color: white } }</style>
            <p>shown</p></html>
            """;

    private static HttpServer server;

    @BeforeAll
    static void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = PAGE.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
            if (exchange.getRequestURI().getPath().equals("/strict")) {
                exchange.getResponseHeaders().add("Content-Security-Policy", "default-src 'none'");
            }
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
    }

    @Test
    void showsAPageInTheColoursAndTheSizeThatAreAskedFor(Browser browser) throws IOException {
        browser.open(address("/"));
        String light = browser.find("p").getCssValue("color");

        browser.dark();
        browser.phone();

        assertThat(browser.find("p").getText()).isEqualTo("shown");
        assertThat(browser.find("p").getCssValue("color")).isNotEqualTo(light);
        assertThat(browser.script("return innerWidth")).isEqualTo(390L);
        assertThat(ImageIO.read(browser.screenshot("harness").toFile()).getWidth())
                .isEqualTo(780);
        assertThat(browser.record().requests()).containsExactly(address("/"));
    }

    @Test
    void aPageThatBreaksItsPolicyDoesNotPass(Browser browser) {
        browser.open(address("/strict"));

        assertThatThrownBy(() -> browser.record().check()).hasMessageContaining("Content Security Policy");
        browser.record().expectErrors("Content Security Policy");
    }

    @Test
    void aPageThatAsksAnotherHostDoesNotPass(Browser browser) {
        browser.open(address("/"));

        browser.script(
                "document.querySelector('p').append(Object.assign(new Image(), {src: 'http://example.com/a.png'}))");

        browser.await("the request is seen", () -> browser.record().requests().contains("http://example.com/a.png"));
        assertThatThrownBy(() -> browser.record().check()).isInstanceOf(AssertionError.class);
        browser.record().begin();
    }

    @Test
    void nothingOfOnePageIsRememberedByTheNext(Browser browser) {
        browser.open(address("/"));
        browser.script("localStorage.setItem('theme', 'dark')");

        browser.beginPage();
        browser.open(address("/"));

        assertThat(browser.script("return localStorage.length")).isEqualTo(0L);
    }

    private static String address(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }
}
