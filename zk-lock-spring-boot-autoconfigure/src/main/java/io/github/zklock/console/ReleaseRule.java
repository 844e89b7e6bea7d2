package io.github.zklock.console;

import io.github.zklock.autoconfigure.actuate.ReleaseAccess;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a forced release is allowed: where the access to the endpoint {@code zklocks} is unrestricted, to requests that
 * the page itself has made. A page of another site cannot pretend that: its browser tells where a request comes from.
 */
final class ReleaseRule {

    private static final String PROPERTY = "management.endpoint.zklocks.access=unrestricted";

    private final Supplier<@Nullable ReleaseAccess> access;

    /** @param access null without an actuator */
    ReleaseRule(Supplier<@Nullable ReleaseAccess> access) {
        this.access = access;
    }

    /** Why nobody may release; empty if it is allowed. */
    Optional<String> refusal() {
        ReleaseAccess known = access.get();
        if (known == null) {
            return Optional.of(
                    "Forced release is switched off: add the actuator (spring-boot-starter-actuator) and set "
                            + PROPERTY + " to allow it");
        }
        return known.isUnrestricted()
                ? Optional.empty()
                : Optional.of("Forced release is switched off: set " + PROPERTY + " to allow it");
    }

    /** Why this request may not release; empty if it may. */
    Optional<String> refusal(ConsoleRequest request) {
        return refusal().or(() -> whyNotOfThePage(request));
    }

    private static Optional<String> whyNotOfThePage(ConsoleRequest request) {
        if (request.headers().getOrEmpty("Origin").size() != 1) {
            return Optional.of(
                    "The lock is not released: the request does not say, by an Origin header, which page made it");
        }
        return request.crossesOrigins()
                ? Optional.of("The lock is not released: the request was made by a page of another origin. If it was"
                        + " not, have the proxy in between pass on the Host header")
                : Optional.empty();
    }
}
