package io.github.zklock.autoconfigure.actuate;

import org.springframework.boot.WebApplicationType;

class WebFluxHostileEndpointTest extends HostileEndpointTests {

    WebFluxHostileEndpointTest() {
        super(WebApplicationType.REACTIVE);
    }
}
