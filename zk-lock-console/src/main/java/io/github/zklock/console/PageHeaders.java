package io.github.zklock.console;

import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;

/**
 * The headers of each answer with a file of the page. No other page may frame it, because a frame could make a user click
 * on the release of a lock, and it loads scripts and styles from its own address only.
 */
final class PageHeaders {

    /** What the page may load. It makes no markup from text, so that browsers can forbid that, too. */
    static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";

    static final Map<String, String> VALUES = Map.of(
            "X-Frame-Options", "DENY",
            "X-Content-Type-Options", "nosniff",
            // only a header can forbid frames: in the page itself, browsers ignore this directive
            "Content-Security-Policy", POLICY + "; frame-ancestors 'none'");

    private final ObjectProvider<PathMappedEndpoints> endpoints;

    /** @param endpoints a provider, because the endpoints are discovered after the filters are created */
    PageHeaders(ObjectProvider<PathMappedEndpoints> endpoints) {
        this.endpoints = endpoints;
    }

    /** Returns whether a request for this path may reach the endpoint of the page. */
    boolean belongTo(PathContainer path) {
        PathMappedEndpoints known = endpoints.getIfAvailable();
        String page = known == null ? null : known.getPath(EndpointId.of(LockConsoleEndpoint.ID));
        if (page == null) {
            return false;
        }
        // as the mapping of the endpoint compares it: decoded, and without parameters of segments
        String plain = path.elements().stream()
                .map(each -> each instanceof PathSegment segment ? segment.valueToMatch() : each.value())
                .collect(Collectors.joining());
        return plain.endsWith(page) || plain.contains(page + "/");
    }
}
