package io.github.zklock.application;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation. */
record Page(String text) {

    private static final Pattern BLOCK = Pattern.compile("(?m)^```(\\w+)\\n((?s:.*?))^```$");

    /** @param name the path below the root of the sources */
    static Page named(String name) throws IOException {
        return new Page(Files.readString(Path.of("..", "..").resolve(name), UTF_8));
    }

    /** Returns the contents of the code blocks in these languages. */
    Stream<String> blocks(String languages) {
        return BLOCK.matcher(text)
                .results()
                .filter(block -> block.group(1).matches(languages))
                .map(block -> block.group(2));
    }

    /** Returns the first group of the first match. */
    static String first(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + pattern + " in " + text));
    }
}
