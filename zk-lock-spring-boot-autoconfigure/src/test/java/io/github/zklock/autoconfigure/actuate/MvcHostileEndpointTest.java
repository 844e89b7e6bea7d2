package io.github.zklock.autoconfigure.actuate;

import org.springframework.boot.WebApplicationType;

class MvcHostileEndpointTest extends HostileEndpointTests {

    MvcHostileEndpointTest() {
        super(WebApplicationType.SERVLET);
    }
}
