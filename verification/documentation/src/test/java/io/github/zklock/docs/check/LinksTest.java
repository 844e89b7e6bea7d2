package io.github.zklock.docs.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every link in the documents leads somewhere. */
class LinksTest {

    private static final Document GUIDE =
            new Document("docs/guide.md", "# The guide\n\n## What `close()` does: nothing\n\n## Twice\n\n## Twice\n");

    private final Links handMade = new Links(
            Set.of("README.md", "docs/guide.md", "docs/images/page.png", "docs/")::contains,
            Map.of(GUIDE.path(), GUIDE)::get);

    @Test
    void everyLinkLeadsSomewhere() {
        List<Document> documents = Document.all();
        Map<String, Document> byPath =
                documents.stream().collect(Collectors.toMap(Document::path, Function.identity()));
        Links links = new Links(path -> Files.exists(Document.ROOT.resolve(path)), byPath::get);

        assertThat(documents).extracting(Document::path).contains("README.md", "docs/annotation.md", "CONTRIBUTING.md");
        assertThat(documents.stream().flatMap(document -> links.problems(document).stream()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[guide](docs/guide.md)",
                "[guide](docs/guide.md#the-guide)",
                "[close](docs/guide.md#what-close-does-nothing)",
                "[second](docs/guide.md#twice-1)",
                "[here](#front)",
                "[folder](docs/)",
                "![page](docs/images/page.png \"The page\")",
                "[out](https://github.com/apache/curator/issues/727)",
                "[over a\nline](docs/guide.md)",
                "`[code](nowhere.md)`",
                "```\n[code](nowhere.md)\n```"
            })
    void aLinkThatLeadsSomewhereIsNoProblem(String text) {
        assertThat(handMade.problems(readme(text))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[file](docs/guid.md)",
                "[anchor](docs/guide.md#the-guid)",
                "[third](docs/guide.md#twice-2)",
                "[here](#back)",
                "[outside](../README.md)",
                "![page](docs/images/none.png)",
                "[![page](docs/images/none.png)](docs/guide.md)",
                "<img src=\"docs/images/none.png\">",
                "[ref]: docs/none.md",
                "[anchor of no document](docs/images/page.png#there)",
                "[out](https:/github.com/apache)",
                "[out](https://github)",
                "[out](htps://github.com/)",
                "over [a](docs/guide.md) `line` [a](nowhere.md)"
            })
    void aLinkThatLeadsNowhereIsFound(String text) {
        assertThat(handMade.problems(readme(text)))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("README.md:3: ");
    }

    private static Document readme(String text) {
        return new Document("README.md", "# Front\n\n" + text + "\n");
    }
}
