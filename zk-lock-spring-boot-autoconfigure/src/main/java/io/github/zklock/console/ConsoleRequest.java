package io.github.zklock.console;

import java.net.InetAddress;
import java.net.URI;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.util.MultiValueMap;

/**
 * A request to the console, whichever kind of web server it came to.
 *
 * @param path what follows the path of the console, as it was sent
 * @param headers as they arrived, before anything was taken out or put in on behalf of a proxy
 * @param remote the other end of the connection; null if it has no address
 * @param guarded whether Spring Security has let it pass
 * @param body empty if it is longer than {@value #LONGEST_BODY} bytes
 */
record ConsoleRequest(
        String method,
        String path,
        MultiValueMap<String, String> parameters,
        HttpHeaders headers,
        @Nullable InetAddress remote,
        boolean guarded,
        @Nullable Principal user,
        Supplier<Optional<Csrf>> csrf,
        Optional<String> body) {

    /** More than the longest name needs, twice, with each character escaped. */
    static final int LONGEST_BODY = 16 * 1024;

    /** Whether the body of a request by this method is read at all. */
    static boolean hasBody(String method) {
        return method.equals("POST");
    }

    boolean reads() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** What the request says it was sent to; several are none that is known. */
    String host() {
        return String.join(",", headers.getOrEmpty("Host"));
    }

    /** Whether a page of another origin made it, as far as the browser tells. */
    boolean crossesOrigins() {
        List<String> site = headers.getOrEmpty("Sec-Fetch-Site");
        List<String> origins = headers.getOrEmpty("Origin");
        return !origins.isEmpty()
                && !(site.isEmpty()
                        ? origins.stream().allMatch(this::isOfThisHost)
                        : site.equals(List.of("same-origin")));
    }

    private boolean isOfThisHost(String origin) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host());
        } catch (IllegalArgumentException notAnOrigin) {
            return false;
        }
    }

    @Nullable String parameter(String name) {
        return parameters.getFirst(name);
    }

    String parameter(String name, String otherwise) {
        String value = parameter(name);
        return value == null ? otherwise : value;
    }

    /** A number of zero or more. */
    int number(String name, int otherwise) {
        String value = parameter(name);
        if (value == null) {
            return otherwise;
        }
        try {
            return Integer.parseUnsignedInt(value) < 0 ? Integer.MAX_VALUE : Integer.parseUnsignedInt(value);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("Parameter '" + name + "' is not a number of zero or more");
        }
    }
}
