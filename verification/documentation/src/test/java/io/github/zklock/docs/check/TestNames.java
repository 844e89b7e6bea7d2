package io.github.zklock.docs.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The test classes of the repository and their methods. */
final class TestNames {

    private final Map<String, String> sources;

    private TestNames(Map<String, String> sources) {
        this.sources = sources;
    }

    static TestNames ofTheRepository() throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> files = Files.walk(Document.ROOT)) {
            for (Path file : files.filter(TestNames::isTest).toList()) {
                sources.put(file.getFileName().toString().replaceAll("\\.\\w+$", ""), Files.readString(file));
            }
        }
        return new TestNames(sources);
    }

    /** Returns whether there is such a class or, as {@code Class.method}, a function of it or of its superclass. */
    boolean contains(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? sources.containsKey(name) : contains(name.substring(0, dot), name.substring(dot + 1));
    }

    private boolean contains(String type, String method) {
        String source = sources.get(type);
        if (source == null) {
            return false;
        }
        if (Pattern.compile("\\b" + Pattern.quote(method) + "\\s*\\(")
                .matcher(source)
                .find()) {
            return true;
        }
        Matcher parent =
                Pattern.compile("class " + type + "(?:<.*?>)? extends (\\w+)").matcher(source);
        return parent.find() && contains(parent.group(1), method);
    }

    private static boolean isTest(Path file) {
        String path = Document.ROOT.relativize(file).toString().replace('\\', '/');
        return path.contains("src/test/")
                && !path.matches("(.*/)?(target|\\.git)/.*")
                && (path.endsWith(".java") || path.endsWith(".kt"));
    }
}
