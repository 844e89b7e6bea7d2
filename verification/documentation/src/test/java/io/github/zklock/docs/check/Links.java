package io.github.zklock.docs.check;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Links of documents: relative ones lead to files and headings that exist, others are well-formed. None is fetched. */
final class Links {

    private static final Pattern LINK = Pattern.compile(
            "]\\(\\s*<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\s*\\)|^\\[[^\\]]+]:\\s+(\\S+)|(?:src|srcset|href)=\"([^\"]+)\"",
            Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("`(?:[^`\\n]|\\n(?!\\n))*`");
    private static final Pattern ID = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");

    private final Predicate<String> exists;
    private final Function<String, @Nullable Document> documents;

    /** Of what exists, files and folders by their path from the root, and of the documents among that. */
    Links(Predicate<String> exists, Function<String, @Nullable Document> documents) {
        this.exists = exists;
        this.documents = documents;
    }

    List<String> problems(Document document) {
        String prose = String.join("\n", document.prose());
        String withoutCode = CODE.matcher(prose).replaceAll(code -> code.group().replaceAll("[^\\n]", "x"));
        List<String> problems = new ArrayList<>();
        LINK.matcher(withoutCode).results().forEach(link -> {
            String problem = problem(document, target(link));
            if (!problem.isEmpty()) {
                int line = (int) prose.substring(0, link.start())
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
                problems.add(document.at(line) + ": " + problem);
            }
        });
        return problems;
    }

    private static String target(MatchResult link) {
        return IntStream.rangeClosed(1, link.groupCount())
                .mapToObj(link::group)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    /** What is wrong with the link, empty if nothing is. */
    private String problem(Document from, String target) {
        if (target.matches("[a-z]+:.*")) {
            return isWellFormed(target) ? "" : "'" + target + "' is no address";
        }
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        String path = file.isEmpty() ? from.path() : resolve(from.path(), file);
        if (path.startsWith("..") || !exists.test(path)) {
            return "'" + target + "' leads to no file";
        }
        if (hash < 0) {
            return "";
        }
        Document there = path.equals(from.path()) ? from : documents.apply(path);
        String anchor = target.substring(hash + 1);
        return there != null && anchors(there).contains(anchor) ? "" : "'" + target + "' leads to no heading";
    }

    private static boolean isWellFormed(String target) {
        try {
            URI uri = new URI(target);
            return switch (uri.getScheme()) {
                case "http", "https" ->
                    uri.getHost() != null
                            && (uri.getHost().contains(".") || uri.getHost().equals("localhost"));
                case "mailto" -> uri.getSchemeSpecificPart().contains("@");
                default -> false;
            };
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static String resolve(String from, String file) {
        URI resolved = URI.create("/" + from).resolve(file.replace(" ", "%20")).normalize();
        return resolved.getPath().replaceFirst("^/", "");
    }

    /** The anchors of a document, as GitHub makes them of its headings, and those that it sets itself. */
    static Set<String> anchors(Document document) {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String line : document.prose()) {
            ID.matcher(line).results().forEach(id -> anchors.add(id.group(1)));
        }
        for (String heading : document.headings()) {
            String slug = slug(heading);
            int times = seen.merge(slug, 1, Integer::sum);
            anchors.add(times == 1 ? slug : slug + "-" + (times - 1));
        }
        return anchors;
    }

    private static String slug(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}\\p{M} _-]", "")
                .replace(' ', '-');
    }
}
