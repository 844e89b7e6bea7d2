package io.github.zklock.docs.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code docs/internals/behaviour-and-tests.md} names tests, and all of them exist. */
class BehaviourAndTestsTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*Tests?)?(?:\\.(\\w+))?`");

    private static final Map<String, String> SOURCES = new LinkedHashMap<>();

    @BeforeAll
    static void readSources() throws IOException {
        for (String folder : List.of(
                "zk-lock-core",
                "zk-lock-spring",
                "zk-lock-spring-boot-autoconfigure",
                "zk-lock-console",
                "zk-lock-spring-boot-starter-test",
                "sample-app",
                "sample-demo",
                "verification")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                for (Path file : files.filter(BehaviourAndTestsTest::isTest).toList()) {
                    SOURCES.put(file.getFileName().toString().replaceAll("\\.\\w+$", ""), Files.readString(file));
                }
            }
        }
    }

    @Test
    void eachTestInTheTablesExists() throws IOException {
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (String row : rows()) {
            String type = "";
            Matcher name = NAME.matcher(row.substring(row.indexOf('|', 1)));
            while (name.find()) {
                type = name.group(1) == null ? type : name.group(1);
                named++;
                if (!exists(type, name.group(2))) {
                    missing.add(type + (name.group(2) == null ? "" : "." + name.group(2)));
                }
            }
        }

        assertThat(missing).isEmpty();
        assertThat(named).isGreaterThan(100);
    }

    @Test
    void eachBehaviourHasATest() throws IOException {
        assertThat(rows())
                .allSatisfy(row -> assertThat(
                                NAME.matcher(row.substring(row.indexOf('|', 1))).find())
                        .as(row)
                        .isTrue());
    }

    /** A class or, in Kotlin and in a superclass that the class names, a function of it. */
    private static boolean exists(String type, String method) {
        String source = SOURCES.get(type);
        if (source == null || method == null) {
            return source != null;
        }
        if (Pattern.compile("\\b" + method + "\\s*\\(").matcher(source).find()) {
            return true;
        }
        Matcher parent = Pattern.compile("class " + type + " extends (\\w+)").matcher(source);
        return parent.find() && exists(parent.group(1), method);
    }

    private static List<String> rows() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/internals/behaviour-and-tests.md")).stream()
                .filter(line ->
                        line.startsWith("| ") && !line.toLowerCase(Locale.ROOT).startsWith("| behaviour"))
                .toList();
    }

    private static boolean isTest(Path file) {
        String path = file.toString().replace('\\', '/');
        return path.contains("/src/test/") && (path.endsWith(".java") || path.endsWith(".kt"));
    }
}
