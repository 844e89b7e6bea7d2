package io.github.zklock.docs.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A piece of English: a paragraph, a heading, a list item, a table cell, a comment or a message. Its text has the line
 * breaks of the file, and {@link #CODE} for each piece of code.
 *
 * @param line the number of its first line in the file
 */
record Passage(String path, int line, String text) {

    /** Stands in a text for a piece of code, and counts as one word. */
    static final String CODE = "\u00a7";

    private static final Pattern END_OF_SENTENCE =
            Pattern.compile("[.!?][\"')\\]]*(?=\\s+[\"'(\\[]*[A-Z0-9" + CODE + "])");
    private static final Pattern ABBREVIATION = Pattern.compile("(?i)\\b(e\\.g|i\\.e|etc|vs|no|cf)$");
    private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}" + CODE + "]\\S*");

    /** Returns where in the file a match of this text begins. */
    String at(MatchResult match) {
        return at(match.start());
    }

    private String at(int index) {
        return path + ":"
                + (line
                        + text.substring(0, index)
                                .chars()
                                .filter(c -> c == '\n')
                                .count());
    }

    /** Returns a message for each sentence that has more words. */
    List<String> sentencesLongerThan(int words) {
        List<String> found = new ArrayList<>();
        int start = 0;
        Matcher end = END_OF_SENTENCE.matcher(text);
        while (start < text.length()) {
            int next = text.length();
            while (end.find()) {
                if (!ABBREVIATION.matcher(text.substring(start, end.start())).find()) {
                    next = end.end();
                    break;
                }
            }
            String sentence = text.substring(start, next);
            long count = WORD.matcher(sentence).results().count();
            if (count > words) {
                int first = start + indexOfWord(sentence);
                found.add(String.format(
                        Locale.ROOT,
                        "%s: a sentence of %d words, '%s ...': split it",
                        at(first),
                        count,
                        beginning(sentence)));
            }
            start = next;
        }
        return found;
    }

    private static int indexOfWord(String sentence) {
        Matcher word = WORD.matcher(sentence);
        return word.find() ? word.start() : 0;
    }

    private static String beginning(String sentence) {
        return WORD.matcher(sentence)
                .results()
                .limit(5)
                .map(MatchResult::group)
                .reduce((a, b) -> a + " " + b)
                .orElse("");
    }
}
