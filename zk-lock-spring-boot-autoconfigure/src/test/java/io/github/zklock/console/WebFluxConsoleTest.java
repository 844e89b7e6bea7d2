package io.github.zklock.console;

import org.springframework.boot.WebApplicationType;

class WebFluxConsoleTest extends ConsoleHttpTests {

    WebFluxConsoleTest() {
        super(WebApplicationType.REACTIVE, "spring.webflux.base-path=/shop", "server.http2.enabled=true");
    }
}
