package io.github.zklock.docs.check;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the comments and the string literals of a Java source. */
final class JavaText {

    /** The kind of a piece of text. */
    enum Kind {
        JAVADOC,
        BLOCK_COMMENT,
        LINE_COMMENT,
        STRING,
        CHARACTER
    }

    /** Line comments below each other are one piece, and so are string literals that are added to each other. */
    record Piece(Kind kind, int line, String text) {}

    private static final Pattern TOKEN = Pattern.compile(String.join(
            "|",
            "/\\*(?s:.*?)\\*/",
            "//[^\\n]*",
            "\"\"\"(?s:.*?)(?<!\\\\)\"\"\"",
            "\"(?:[^\"\\\\\\n]|\\\\.)*\"",
            "'(?:[^'\\\\\\n]|\\\\.)+'"));
    private static final Pattern MARKS = Pattern.compile("\\*+/$|(?m)^\\s*(?:/\\*+|\\*(?!/))");
    private static final Pattern NEXT_LINE = Pattern.compile("\\n\\s*");
    private static final Pattern ADDED = Pattern.compile("\\s*\\+\\s*(?:[^;{}]*?\\+\\s*)?");

    private final String source;
    private final List<Piece> pieces = new ArrayList<>();
    private int end;
    private int line = 1;

    private JavaText(String source) {
        this.source = source;
    }

    static List<Piece> of(String source) {
        JavaText text = new JavaText(source);
        Matcher token = TOKEN.matcher(source);
        while (token.find()) {
            text.add(token);
        }
        return text.pieces;
    }

    private void add(Matcher token) {
        String between = source.substring(end, token.start());
        line += lineBreaks(between).length();
        Kind kind = kindOf(token.group());
        String content = contentOf(kind, token.group());
        Piece last = pieces.isEmpty() ? new Piece(Kind.CHARACTER, 0, "") : pieces.get(pieces.size() - 1);
        if (last.kind() == kind
                && kind == Kind.LINE_COMMENT
                && NEXT_LINE.matcher(between).matches()) {
            append(last, lineBreaks(between) + content);
        } else if (last.kind() == kind
                && kind == Kind.STRING
                && ADDED.matcher(between).matches()) {
            String code = between.indexOf('+') < between.lastIndexOf('+') ? Passage.CODE : "";
            append(last, code + lineBreaks(between) + content);
        } else {
            pieces.add(new Piece(kind, line, content));
        }
        line += lineBreaks(token.group()).length();
        end = token.end();
    }

    private void append(Piece last, String text) {
        pieces.set(pieces.size() - 1, new Piece(last.kind(), last.line(), last.text() + text));
    }

    private static Kind kindOf(String token) {
        if (token.startsWith("/*")) {
            return token.startsWith("/**") ? Kind.JAVADOC : Kind.BLOCK_COMMENT;
        }
        if (token.startsWith("//")) {
            return Kind.LINE_COMMENT;
        }
        return token.startsWith("'") ? Kind.CHARACTER : Kind.STRING;
    }

    private static String contentOf(Kind kind, String token) {
        return switch (kind) {
            case JAVADOC, BLOCK_COMMENT -> MARKS.matcher(token).replaceAll("");
            case LINE_COMMENT -> token.substring(2);
            case CHARACTER -> "";
            case STRING -> {
                int quotes = token.startsWith("\"\"\"") ? 3 : 1;
                yield token.substring(quotes, token.length() - quotes)
                        .replace("\\\"", "\"")
                        .replace("\\n", " ")
                        .replace("{}", Passage.CODE)
                        .replaceAll("%[\\w$.]+", Passage.CODE);
            }
        };
    }

    private static String lineBreaks(String text) {
        return text.replaceAll("[^\\n]", "");
    }
}
