package io.github.zklock.docs.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of documents that are regions of sources: a marker before the block names file and region, and in the file the
 * region stands between two comments. Code is nowhere else: a block of code without a marker is a mistake.
 */
final class Snippets {

    /** Languages of which no block may be typed by hand. */
    private static final Set<String> CODE = Set.of("java", "kotlin");

    private static final Pattern MARKER = Pattern.compile("<!-- snippet ([^#\\s]+)#([\\w-]+) -->");
    private static final Pattern COMMENT = Pattern.compile("(?://|#|--|<!--) (snippet|end):([\\w-]+)(?: -->)?");

    private final Function<String, @Nullable String> sources;

    /** Of what a path from the root of the repository has as text, null if there is nothing. */
    Snippets(Function<String, @Nullable String> sources) {
        this.sources = sources;
    }

    List<String> problems(Document document) {
        List<String> problems = new ArrayList<>();
        List<String> lines = document.lines();
        List<Document.Block> blocks = document.blocks();
        for (Document.Block block : blocks) {
            Matcher marker = marker(lines, block);
            if (marker == null && CODE.contains(block.language())) {
                problems.add(document.at(block.opens()) + " is code without a marker '<!-- snippet path#region -->'");
            } else if (marker != null) {
                try {
                    if (!region(marker).equals(block.content())) {
                        problems.add(document.at(block.opens()) + " is not what " + marker.group(1) + " has in '"
                                + marker.group(2) + "'; -Dzklock.docs.rewrite=true writes it anew");
                    }
                } catch (IllegalStateException e) {
                    problems.add(document.at(block.opens()) + ": " + e.getMessage());
                }
            }
        }
        List<String> prose = document.prose();
        for (int i = 0; i < prose.size(); i++) {
            int next = i + 1;
            if (MARKER.matcher(prose.get(i).strip()).matches()
                    && blocks.stream().noneMatch(block -> block.opens() == next)) {
                problems.add(document.at(i) + " marks a snippet, but no block follows on the next line");
            }
        }
        return problems;
    }

    Document rewritten(Document document) {
        List<String> lines = new ArrayList<>(document.lines());
        List<Document.Block> blocks = document.blocks();
        for (int i = blocks.size() - 1; i >= 0; i--) {
            Document.Block block = blocks.get(i);
            Matcher marker = marker(lines, block);
            if (marker != null) {
                List<String> content = lines.subList(block.opens() + 1, block.closes());
                List<String> region = region(marker);
                content.clear();
                content.addAll(region);
            }
        }
        return new Document(document.path(), String.join("\n", lines) + "\n");
    }

    private static @Nullable Matcher marker(List<String> lines, Document.Block block) {
        if (block.opens() == 0) {
            return null;
        }
        Matcher marker = MARKER.matcher(lines.get(block.opens() - 1).strip());
        return marker.matches() ? marker : null;
    }

    private List<String> region(Matcher marker) {
        String path = marker.group(1);
        String source = sources.apply(path);
        if (source == null) {
            throw new IllegalStateException("there is no file " + path);
        }
        return region(path, source, marker.group(2));
    }

    /** Of several regions of that name, all: what stands between them is left out. */
    static List<String> region(String path, String source, String name) {
        List<String> region = new ArrayList<>();
        boolean inside = false;
        int begun = 0;
        for (String line : source.lines().toList()) {
            Matcher comment = COMMENT.matcher(line.strip());
            if (!comment.matches()) {
                if (inside) {
                    region.add(line.stripTrailing());
                }
            } else if (comment.group(2).equals(name)) {
                boolean begins = comment.group(1).equals("snippet");
                if (begins == inside) {
                    throw new IllegalStateException("region '" + name + "' begins or ends twice in " + path);
                }
                inside = begins;
                begun++;
            }
        }
        if (inside || begun == 0) {
            throw new IllegalStateException("there is no whole region '" + name + "' in " + path);
        }
        return String.join("\n", region).stripTrailing().stripIndent().lines().toList();
    }
}
