package io.github.zklock.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeType;
import org.springframework.util.StringUtils;

/**
 * The web endpoint {@code lockconsole}: the files of a page, which are the same for every caller. The page reads and
 * releases locks by requests to the endpoint {@code zklocks}, with the caller's rights on that endpoint.
 *
 * <p>Not guaranteed: that a caller that may load the page may also read locks.
 */
@WebEndpoint(id = LockConsoleEndpoint.ID, defaultAccess = Access.READ_ONLY)
final class LockConsoleEndpoint {

    static final String ID = "lockconsole";

    private static final String LOCKS = "zklocks";
    private static final String HTML = "text/html";
    private static final String CSS = "text/css";
    private static final String JAVASCRIPT = "text/javascript";
    private static final String SVG = "image/svg+xml";

    private static final Pattern FILE = Pattern.compile("[a-z]+\\.(css|js|svg)");
    private static final Map<String, String> TYPES = Map.of("css", CSS, "js", JAVASCRIPT, "svg", SVG);

    private final ObjectProvider<PathMappedEndpoints> endpoints;

    /** @param endpoints a provider, because the endpoints are discovered after this bean is created */
    LockConsoleEndpoint(ObjectProvider<PathMappedEndpoints> endpoints) {
        this.endpoints = endpoints;
    }

    /** Returns the page. Its addresses are relative, so that it works below any context path and behind a proxy. */
    @ReadOperation(produces = HTML)
    WebEndpointResponse<Resource> page() throws IOException {
        String own = pathOf(ID);
        String html = resource("index.html")
                .getContentAsString(StandardCharsets.UTF_8)
                .replace("{policy}", PageHeaders.POLICY)
                .replace("{files}", own.substring(own.lastIndexOf('/') + 1))
                .replace("{locks}", "../".repeat(StringUtils.countOccurrencesOf(own, "/")) + pathOf(LOCKS));
        return new WebEndpointResponse<>(
                new ByteArrayResource(html.getBytes(StandardCharsets.UTF_8)),
                MimeType.valueOf(HTML + ";charset=utf-8"));
    }

    /** Returns a file that the page loads. */
    @ReadOperation(produces = {CSS, JAVASCRIPT, SVG})
    WebEndpointResponse<Resource> file(@Selector String name) {
        Resource file = FILE.matcher(name).matches() ? resource(name) : null;
        if (file == null || !file.exists()) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        String type = TYPES.get(StringUtils.getFilenameExtension(name));
        return new WebEndpointResponse<>(file, MimeType.valueOf(type + ";charset=utf-8"));
    }

    /** Returns the path of an endpoint below the base path of all endpoints; its id if it is not exposed. */
    private String pathOf(String endpoint) {
        String path = endpoints.getObject().getRootPath(EndpointId.of(endpoint));
        return path == null ? endpoint : path;
    }

    private static Resource resource(String name) {
        return new ClassPathResource(name, LockConsoleEndpoint.class);
    }
}
