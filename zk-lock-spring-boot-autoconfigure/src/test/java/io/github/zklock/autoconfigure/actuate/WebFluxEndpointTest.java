package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

class WebFluxEndpointTest extends EndpointHttpTests {

    WebFluxEndpointTest() {
        super(WebApplicationType.REACTIVE);
    }

    @Test
    void forcesNoReleaseUnlessAccessIsUnrestricted() throws Exception {
        try (LockHandle handle = other.lock("/safe").acquire()) {
            String seat = shop.registry().inspector().queue("/safe").get(0).id();

            int status = shop.delete(ENDPOINT + "/safe?seat=" + seat).statusCode();

            assertThat(status).isEqualTo(405);
            assertThat(this.<Boolean>read(shop.get(ENDPOINT), "$.releasable")).isFalse();
            assertThat(shop.registry().inspector().queue("/safe")).hasSize(1);
            assertThat(handle.isHeld()).isTrue();
        }
    }
}
