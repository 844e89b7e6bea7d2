package io.github.zklock.browser.shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code on the shop's page is the shop's code. */
class PageQuotesTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern QUOTE = Pattern.compile("<code class=\"quoted\">(.*?)</code>", Pattern.DOTALL);

    @Test
    void eachQuoteOfThePageStandsInTheSources() throws IOException {
        String sources = sources();

        List<String> quotes = quotes();

        assertThat(quotes).hasSize(4).allSatisfy(quote -> assertThat(sources).contains(quote));
    }

    private static List<String> quotes() throws IOException {
        String page = Files.readString(ROOT.resolve("sample-demo/src/main/resources/static/index.html"), UTF_8);
        return QUOTE.matcher(page)
                .results()
                .map(found -> found.group(1).replaceAll("</?mark>", ""))
                .map(html -> html.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
                .map(PageQuotesTest::withoutLayout)
                .toList();
    }

    private static String sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("sample-app/src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(PageQuotesTest::read)
                    .map(PageQuotesTest::withoutLayout)
                    .collect(Collectors.joining("\n"));
        }
    }

    /** Lines are broken otherwise on the page, which is narrower. */
    private static String withoutLayout(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
