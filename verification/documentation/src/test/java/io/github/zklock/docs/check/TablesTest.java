package io.github.zklock.docs.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tables are shown as tables: each has a head, and each row is one line, because the next line is a row of its own. */
class TablesTest {

    private static final Pattern SEPARATOR = Pattern.compile("\\|[-:| ]+\\|");

    @Test
    void everyTableHasAHeadAndRowsOfOneLine() {
        assertThat(Document.all().stream().flatMap(document -> problems(document).stream()))
                .isEmpty();
    }

    @Test
    void aRowThatContinuesInTheNextLineIsFound() {
        assertThat(problems(document("| Holder | Action |\n|---|---|\n| hangs | restart the\ninstance |\n")))
                .containsExactly("hand-made.md:3: this row of a table does not end in its line");
    }

    @Test
    void aTableThatIsCutByAnEmptyLineIsFound() {
        assertThat(problems(
                        document("   | a | b |\n   |---|---|\n   | c | d |\n\n   | e | f |\n\n```\n| a block\n```\n")))
                .containsExactly("hand-made.md:5: this table has no head");
    }

    private static Document document(String text) {
        return new Document("hand-made.md", text);
    }

    private static List<String> problems(Document document) {
        List<String> lines = document.prose().stream().map(String::strip).toList();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).startsWith("|")) {
                continue;
            }
            if (!lines.get(i).endsWith("|")) {
                problems.add(document.at(i) + ": this row of a table does not end in its line");
            }
            boolean first = i == 0 || !lines.get(i - 1).startsWith("|");
            if (first
                    && (i + 1 == lines.size()
                            || !SEPARATOR.matcher(lines.get(i + 1)).matches())) {
                problems.add(document.at(i) + ": this table has no head");
            }
        }
        return problems;
    }
}
