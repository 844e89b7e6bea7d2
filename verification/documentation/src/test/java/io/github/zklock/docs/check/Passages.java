package io.github.zklock.docs.check;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the English of Markdown files and of Java sources. */
final class Passages {

    // Markdown
    private static final Pattern HTML_COMMENT = Pattern.compile("<!--(?s:.*?)-->");
    private static final Pattern INLINE_CODE = Pattern.compile("(`+)(?:[^`\\n]|\\n(?!\\n))+?\\1");
    private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)]\\([^)]*\\)");
    private static final Pattern ADDRESS = Pattern.compile("\\bhttps?://\\S+");
    private static final Pattern EMPHASIS = Pattern.compile("\\*\\*|(?<![\\w*])[*_](?=\\S)|(?<=\\S)[*_](?![\\w*])");
    private static final Pattern TAG = Pattern.compile("</?[a-zA-Z][^>]*>");
    private static final Pattern STARTS_PASSAGE = Pattern.compile("\\s*(?:[-*+]|\\d+\\.)\\s.*|#.*|\\s*>.*");
    private static final Pattern MARKER = Pattern.compile("^\\s*(?:[-*+]|\\d+\\.|#+|>)\\s+");
    private static final Pattern TABLE_RULE = Pattern.compile("[|\\s:-]+");
    private static final Pattern END_OF_CELL = Pattern.compile("(?<!\\\\)\\|");

    // Javadoc
    private static final Pattern PRE = Pattern.compile("<pre>(?s:.*?)</pre>");
    private static final Pattern INLINE_TAG = Pattern.compile("\\{@(\\w+)((?:[^{}]|\\{[^{}]*\\})*)\\}");
    private static final Pattern LABEL = Pattern.compile("\\s*[\\w.$#]+(?:\\([^)]*\\))?\\s*((?s:.*))");
    private static final Pattern BLOCK_TAG =
            Pattern.compile("^\\s*@(?:(?:param|throws|exception)\\s+\\S+|see\\s.*|since\\s.*|author\\s.*|\\w+)");
    private static final Pattern BREAK = Pattern.compile("</?(?:p|li|ul|ol|h\\d|table|tr|td|th|dl|dt|dd|br)\\b[^>]*>");

    private Passages() {}

    static List<Passage> ofMarkdown(Document document) {
        String prose = String.join("\n", document.prose());
        prose = replace(HTML_COMMENT, prose, "");
        prose = replace(INLINE_CODE, prose, Passage.CODE);
        prose = LINK.matcher(prose).replaceAll(link -> quote(link.group(1)));
        prose = ADDRESS.matcher(prose).replaceAll(Passage.CODE);
        prose = EMPHASIS.matcher(prose).replaceAll("");
        prose = replace(TAG, prose, "");
        return split(document.path(), 1, prose);
    }

    /** Returns the comments, and the string literals of several words. */
    static List<Passage> ofJava(String path, String source) {
        List<Passage> passages = new ArrayList<>();
        for (JavaText.Piece piece : JavaText.of(source)) {
            String text = piece.text();
            switch (piece.kind()) {
                case JAVADOC -> passages.addAll(split(path, piece.line(), ofJavadoc(text)));
                case BLOCK_COMMENT, LINE_COMMENT -> {
                    if (!text.strip().matches("(?:snippet|end|spotless):.*")) {
                        passages.addAll(split(path, piece.line(), replace(INLINE_CODE, text, Passage.CODE)));
                    }
                }
                case STRING -> {
                    if (text.strip().matches("(?s)\\S*\\p{L}{2,}\\S*\\s+\\S+\\s.*")) {
                        passages.addAll(split(path, piece.line(), text));
                    }
                }
                case CHARACTER -> {}
            }
        }
        return passages;
    }

    private static String ofJavadoc(String comment) {
        String text = replace(PRE, comment, "");
        text = INLINE_TAG.matcher(text).replaceAll(tag -> {
            String label = LABEL.matcher(tag.group(2)).replaceFirst("$1").strip();
            boolean isLabelled = tag.group(1).startsWith("link") && !label.isEmpty();
            return quote(keepLines(tag.group(), isLabelled ? label : Passage.CODE));
        });
        text = replace(BREAK, text, "\u2029");
        text = replace(TAG, text, "");
        return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }

    /** Splits where a passage ends: at empty lines, headings, list items, table cells and block tags. */
    private static List<Passage> split(String path, int firstLine, String text) {
        List<Passage> passages = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        int openedAt = firstLine;
        int number = firstLine;
        for (String line : text.split("\n", -1)) {
            boolean isRow = line.strip().startsWith("|");
            boolean starts = STARTS_PASSAGE.matcher(line).matches()
                    || BLOCK_TAG.matcher(line).find();
            if (line.isBlank() || isRow || starts) {
                add(passages, path, openedAt, open);
            }
            String words =
                    BLOCK_TAG.matcher(MARKER.matcher(line).replaceFirst("")).replaceFirst("");
            String[] parts =
                    isRow ? END_OF_CELL.split(TABLE_RULE.matcher(line).matches() ? "" : line) : words.split("\u2029");
            for (int i = 0; i < parts.length; i++) {
                if (i > 0) {
                    add(passages, path, openedAt, open);
                }
                openedAt = open.isEmpty() ? number : openedAt;
                open.append(parts[i]).append('\n');
            }
            if (isRow || line.startsWith("#")) {
                add(passages, path, openedAt, open);
            }
            number++;
        }
        add(passages, path, openedAt, open);
        return passages;
    }

    private static void add(List<Passage> passages, String path, int line, StringBuilder text) {
        if (!text.toString().isBlank()) {
            passages.add(new Passage(path, line, text.toString()));
        }
        text.setLength(0);
    }

    /** Replaces, and keeps the line breaks, so that the numbers stay. */
    private static String replace(Pattern pattern, String text, String replacement) {
        return pattern.matcher(text).replaceAll(found -> quote(keepLines(found.group(), replacement)));
    }

    private static String keepLines(String found, String replacement) {
        long missing = found.chars().filter(c -> c == '\n').count()
                - replacement.chars().filter(c -> c == '\n').count();
        return replacement + "\n".repeat((int) Math.max(0, missing));
    }

    private static String quote(String replacement) {
        return Matcher.quoteReplacement(replacement);
    }
}
