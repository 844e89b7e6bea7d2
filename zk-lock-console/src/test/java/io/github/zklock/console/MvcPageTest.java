package io.github.zklock.console;

import org.springframework.boot.WebApplicationType;

class MvcPageTest extends PageTests {

    MvcPageTest() {
        super(WebApplicationType.SERVLET);
    }
}
