package io.github.zklock.actuate;

import org.springframework.boot.WebApplicationType;

class MvcHostileEndpointTest extends HostileEndpointTests {

    MvcHostileEndpointTest() {
        super(WebApplicationType.SERVLET);
    }
}
