package io.github.zklock.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The files of the page, which lie beside this class. */
final class Assets {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*\\.(html|css|js|svg)");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "svg", "image/svg+xml");

    private final Map<String, Asset> found = new ConcurrentHashMap<>();

    /** Empty if there is no such file. */
    Optional<ConsoleAnswer> answer(String name, Iterable<String> knownVersions) {
        return NAME.matcher(name).matches()
                ? Optional.ofNullable(found.computeIfAbsent(name, Assets::read)).map(file -> file.answer(knownVersions))
                : Optional.empty();
    }

    @SuppressWarnings("NullAway") // there is no value for a file that does not exist
    private static Asset read(String name) {
        try (InputStream file = Assets.class.getResourceAsStream(name)) {
            return file == null
                    ? null
                    : new Asset(TYPES.get(name.substring(name.indexOf('.') + 1)), file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("File '" + name + "' of the console cannot be read", e);
        }
    }

    private static final class Asset {

        private final String type;
        private final byte[] content;
        private final String version;

        Asset(String type, byte[] content) {
            this.type = type;
            this.content = content;
            this.version = "\"" + digest(content) + "\"";
        }

        ConsoleAnswer answer(Iterable<String> knownVersions) {
            Map<String, String> headers = Map.of("Content-Type", type, "Cache-Control", "no-cache", "ETag", version);
            for (String known : knownVersions) {
                // a proxy that compresses weakens the tag: W/"..."
                if (known.contains(version)) {
                    return new ConsoleAnswer(304, headers, new byte[0]);
                }
            }
            return new ConsoleAnswer(200, headers, content);
        }

        private static String digest(byte[] content) {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(content), 0, 16);
            } catch (NoSuchAlgorithmException never) {
                throw new IllegalStateException("Every JVM has SHA-256", never);
            }
        }
    }
}
