package io.github.zklock.console;

import org.springframework.boot.WebApplicationType;

class WebFluxPageTest extends PageTests {

    WebFluxPageTest() {
        super(WebApplicationType.REACTIVE);
    }
}
