package io.github.zklock.console;

import org.springframework.boot.WebApplicationType;

class MvcConsoleTest extends ConsoleHttpTests {

    MvcConsoleTest() {
        super(WebApplicationType.SERVLET, "server.servlet.context-path=/shop", "server.http2.enabled=true");
    }
}
