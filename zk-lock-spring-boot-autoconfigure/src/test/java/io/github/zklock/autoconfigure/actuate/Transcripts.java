package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests and their answers as {@code docs/endpoint.md} and {@code docs/operations.md} show them, each between two
 * markers. Values that differ between runs are replaced. {@code -Dzklock.docs.rewrite=true} rewrites the documents.
 */
final class Transcripts {

    private static final List<Path> DOCUMENTS =
            List.of(Path.of("..", "docs", "endpoint.md"), Path.of("..", "docs", "operations.md"));
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern SESSION = Pattern.compile("(\"session\" : \"|\"id\" : \")([0-9a-f]{15,16})(?=\")");
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final ShopApplication application;
    private final Map<String, String> taken = new LinkedHashMap<>();
    private final Map<String, String> ids = new LinkedHashMap<>();
    private final Map<String, String> sessions = new LinkedHashMap<>();

    Transcripts(ShopApplication application) {
        this.application = application;
    }

    void get(String title, String path) {
        take(title, "curl -i", path, application.get(path));
    }

    void delete(String title, String path) {
        take(title, "curl -i -X DELETE", path, application.delete(path));
    }

    void compareOrRewrite() throws IOException {
        Set<String> titles = new HashSet<>(taken.keySet());
        for (Path document : DOCUMENTS) {
            String before = Files.readString(document);
            String after = before;
            for (Map.Entry<String, String> each : taken.entrySet()) {
                if (before.contains(begin(each.getKey()))) {
                    after = replace(after, each.getKey(), each.getValue());
                    titles.remove(each.getKey());
                }
            }
            if (Boolean.getBoolean("zklock.docs.rewrite")) {
                Files.writeString(document, after);
            } else {
                assertThat(before)
                        .as("%s; rewrite it with -Dzklock.docs.rewrite=true", document)
                        .isEqualTo(after);
            }
        }
        assertThat(titles).as("transcripts without a marker in %s", DOCUMENTS).isEmpty();
    }

    private void take(String title, String command, String path, HttpResponse<String> answer) {
        String type = answer.headers().firstValue("Content-Type").orElseThrow();
        String body = JSON.writeValueAsString(JSON.readTree(answer.body()));
        String text = "$ " + command + " 'localhost:8080" + path + "'\nHTTP/1.1 " + answer.statusCode()
                + "\nContent-Type: " + type + "\n\n" + body;
        taken.put(title, withFixedValues(text));
    }

    private String withFixedValues(String text) {
        Matcher found = ID.matcher(text);
        String fixed = found.replaceAll(id ->
                ids.computeIfAbsent(id.group(), key -> "5e0a7a3c-0000-4000-8000-%012d".formatted(ids.size() + 1)));
        return SESSION.matcher(fixed)
                .replaceAll(session -> session.group(1)
                        + sessions.computeIfAbsent(session.group(2), key -> "100001f4e5a000" + (sessions.size() + 1)))
                .replaceAll("(\"remaining\" : )\"PT[1-9][^\"]*\"", "$1\"PT17.912S\"")
                .replaceAll("(\"remaining\" : )\"PT0\\.[^\"]*\"", "$1\"PT17.912S\"")
                .replaceAll("(\"hot\" : )\\[[^]]*]", "$1[ ]")
                .replaceAll("(\"(waited|held)\" : )\"[^\"]*\"", "$1\"PT1.5S\"")
                .replaceAll("(\"(acquired|released)\" : )\\d+", "$112")
                .replaceAll("(\"(heldFor|waitedFor)\" : )\"[^\"]*\"", "$1\"PT4.2S\"")
                .replaceAll("(\"(?:since|time)\" : )\"[^\"]*\"", "$1\"2026-11-20T03:00:00.125Z\"")
                .replaceAll("(\"token\" : )\"[^\"]*\"", "$1\"17592186142720\"")
                .replaceAll("(\"host\" : )\"[^\"]*\"", "$1\"node-7\"")
                .replaceAll("(\"pid\" : )\\d+", "$14711");
    }

    private static String replace(String document, String title, String transcript) {
        int from = document.indexOf(begin(title)) + begin(title).length();
        int to = document.indexOf("<!-- end -->", from);
        return document.substring(0, from) + "```\n" + transcript + "\n```\n" + document.substring(to);
    }

    private static String begin(String title) {
        return "<!-- transcript " + title + " -->\n";
    }
}
