package io.github.zklock.console;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.json.WritableJson;

/** What the console answers, with whichever kind of web server. */
final class ConsoleAnswer {

    private static final Map<String, String> ALWAYS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Resource-Policy",
            "same-origin");

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    ConsoleAnswer(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = new LinkedHashMap<>(ALWAYS);
        this.headers.putAll(headers);
        this.body = body;
    }

    static ConsoleAnswer json(int status, WritableJson value) {
        // as a whole: JSON that is encoded piece by piece has no characters beyond 16 bits
        byte[] body = value.toJsonString().getBytes(StandardCharsets.UTF_8);
        return new ConsoleAnswer(status, Map.of("Content-Type", "application/json", "Cache-Control", "no-store"), body);
    }

    static ConsoleAnswer problem(int status, String reason) {
        return json(status, new Problem(reason));
    }

    static ConsoleAnswer notAllowed(String methods) {
        return new ConsoleAnswer(405, Map.of("Allow", methods, "Cache-Control", "no-store"), new byte[0]);
    }

    /** @param location relative to what was asked for, so that no proxy's idea of the path is in the way */
    static ConsoleAnswer elsewhere(String location) {
        return new ConsoleAnswer(302, Map.of("Location", location, "Cache-Control", "no-store"), new byte[0]);
    }

    int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }
}
