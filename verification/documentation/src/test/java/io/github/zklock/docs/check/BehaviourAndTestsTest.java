package io.github.zklock.docs.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/internals/behaviour-and-tests.md} names tests, and all of them exist. */
class BehaviourAndTestsTest {

    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*Tests?)?(?:\\.(\\w+))?`");

    @Test
    void eachTestInTheTablesExists() throws IOException {
        TestNames tests = TestNames.ofTheRepository();
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (String row : rows()) {
            String type = "";
            Matcher name = NAME.matcher(row.substring(row.indexOf('|', 1)));
            while (name.find()) {
                type = name.group(1) == null ? type : name.group(1);
                named++;
                String test = type + (name.group(2) == null ? "" : "." + name.group(2));
                if (!tests.contains(test)) {
                    missing.add(test);
                }
            }
        }

        assertThat(missing).isEmpty();
        assertThat(named).isGreaterThan(100);
    }

    @Test
    void eachBehaviourHasATest() {
        assertThat(rows())
                .allSatisfy(row -> assertThat(
                                NAME.matcher(row.substring(row.indexOf('|', 1))).find())
                        .as(row)
                        .isTrue());
    }

    private static List<String> rows() {
        return Document.read("docs/internals/behaviour-and-tests.md").lines().stream()
                .filter(line ->
                        line.startsWith("| ") && !line.toLowerCase(Locale.ROOT).startsWith("| behaviour"))
                .toList();
    }
}
