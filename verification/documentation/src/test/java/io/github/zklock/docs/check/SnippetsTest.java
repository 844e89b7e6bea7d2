package io.github.zklock.docs.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The code in the documents is code of the build. {@code -Dzklock.docs.rewrite=true} writes it there anew. */
class SnippetsTest {

    private static final String SOURCE = """
            class Stats {
                // snippet:all
                int count() {
                    // snippet:body
                    return 1;

                    // end:body
                }
                // end:all
            }
            """;

    private final Snippets handMade = new Snippets(Map.of("Stats.java", SOURCE, "Open.java", "// snippet:x\n")::get);

    @Test
    void everyBlockOfCodeIsARegionOfASource() throws IOException {
        Snippets snippets = new Snippets(SnippetsTest::source);
        List<Document> documents = documents();
        if (Boolean.getBoolean("zklock.docs.rewrite")) {
            for (Document document : documents) {
                snippets.rewritten(document).write();
            }
        }

        assertThat(documents().stream().flatMap(document -> snippets.problems(document).stream()))
                .isEmpty();
        assertThat(documents.stream().flatMap(document -> document.blocks().stream()))
                .filteredOn(block -> block.language().equals("java"))
                .hasSizeGreaterThan(15);
    }

    @Test
    void aRegionIsShownWithoutIndentationAndMarkers() {
        assertThat(handMade.problems(document("all", "int count() {", "    return 1;", "", "}")))
                .isEmpty();
        assertThat(handMade.problems(document("body", "return 1;"))).isEmpty();
    }

    @Test
    void aBlockThatDiffersIsFound() {
        Document document = document("all", "int count() {", "    return 2;", "}");

        assertThat(handMade.problems(document)).singleElement().asString().contains("hand-made.md:3", "is not what");
    }

    @Test
    void aBlockThatDiffersIsWrittenAnew() {
        Document rewritten = handMade.rewritten(document("all", "int count() {", "    return 2;", "}"));

        assertThat(handMade.problems(rewritten)).isEmpty();
        assertThat(rewritten.text())
                .startsWith("Text\n")
                .contains("    return 1;")
                .endsWith("Text\n");
    }

    @Test
    void codeWithoutAMarkerIsFound() {
        Document document = new Document("hand-made.md", "Text\n```java\nint i;\n```\n");

        assertThat(handMade.problems(document)).singleElement().asString().contains("without a marker");
    }

    @Test
    void aMarkerBeforeNothingIsFound() {
        Document document = new Document("hand-made.md", "<!-- snippet Stats.java#all -->\n\n```\ntext\n```\n");

        assertThat(handMade.problems(document)).singleElement().asString().contains("no block follows");
    }

    @Test
    void aRegionOrFileThatDoesNotExistIsFound() {
        assertThat(handMade.problems(document("none", "int i;")))
                .singleElement()
                .asString()
                .contains("no whole region 'none' in Stats.java");
        assertThat(handMade.problems(new Document("hand-made.md", "<!-- snippet No.java#x -->\n```java\n```\n")))
                .singleElement()
                .asString()
                .contains("no file No.java");
        assertThat(handMade.problems(new Document("hand-made.md", "<!-- snippet Open.java#x -->\n```java\n```\n")))
                .singleElement()
                .asString()
                .contains("no whole region 'x'");
    }

    @Test
    void aRegionInSeveralPiecesIsShownWithoutWhatStandsBetween() {
        String pieces = "// snippet:x\na\n// end:x\nb\n// snippet:x\nc\n// end:x\n";

        assertThat(Snippets.region("Pieces.java", pieces, "x")).containsExactly("a", "c");
    }

    @Test
    void aRegionThatBeginsOrEndsTwiceIsRefused() {
        for (String twice : List.of("// snippet:x\n// snippet:x\n// end:x\n", "// snippet:x\n// end:x\n// end:x\n")) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> Snippets.region("Twice.java", twice, "x"))
                    .withMessageContaining("twice");
        }
    }

    private static Document document(String region, String... lines) {
        return new Document(
                "hand-made.md",
                "Text\n<!-- snippet Stats.java#" + region + " -->\n```java\n" + String.join("\n", lines)
                        + "\n```\nText\n");
    }

    /** Decisions are records of their day: what they show is not kept up to date. */
    private static List<Document> documents() {
        return Document.all().stream()
                .filter(document -> !document.path().startsWith("docs/decisions/"))
                .toList();
    }

    private static @Nullable String source(String path) {
        return Files.exists(Document.ROOT.resolve(path)) ? Document.read(path).text() : null;
    }
}
