package io.github.zklock.docs.check;

import java.util.regex.MatchResult;

/**
 * A piece of English: a paragraph, a heading, a list item, a table cell, a comment or a message. Its text has the line
 * breaks of the file, and {@link #CODE} for each piece of code.
 *
 * @param line the number of its first line in the file
 */
record Passage(String path, int line, String text) {

    /** Stands in a text for a piece of code. */
    static final String CODE = "\u00a7";

    /** Returns where in the file a match of this text begins. */
    String at(MatchResult match) {
        long lines =
                text.substring(0, match.start()).chars().filter(c -> c == '\n').count();
        return path + ":" + (line + lines);
    }
}
