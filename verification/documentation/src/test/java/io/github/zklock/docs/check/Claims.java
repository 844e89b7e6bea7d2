package io.github.zklock.docs.check;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text with a number or a promise is followed by a mark, a comment that names what shows it. A mark covers the text
 * before it, back to another mark or to the heading.
 *
 * <pre>
 * &lt;!-- shown by: BusyCallTest.anOutageIsNeverBusy; verification/faults/run --scenario M26 --&gt;
 * &lt;!-- stated by: ZooKeeper 3.9.5, SessionTrackerImpl.java --&gt;
 * &lt;!-- no promise: example --&gt;
 * </pre>
 */
final class Claims {

    private static final Pattern CLAIM = Pattern.compile("(?i)\\b(?:never|always|guarantee\\w*|cannot|at\\s+most"
            + "|at\\s+least|no\\s+more\\s+than|exactly\\s+one)\\b|(?<![\\w.])\\d[\\d,.]*");
    private static final Pattern VERSION = Pattern.compile(
            "\\b(?:Java|JDK|ZooKeeper|Spring|Boot|Framework|Security|Integration|Curator|Redisson|ShedLock"
                    + "|Maven|Gradle|Kotlin|Micrometer|Redis|servers?|version|Apache)[\\s-]v?\\d+(?:\\.\\d+)*"
                    + "(?:(?:,| and| or| to)\\s\\d+(?:\\.\\d+)*)*|\\b\\d+\\.\\d+\\.\\d+\\b");

    private static final Pattern MARK = Pattern.compile("<!-- (shown by|stated by|no promise): ([^>]+?) -->");
    private static final Pattern ENDS_WITH_MARK = Pattern.compile("(?:(?s:.*)\\n)?" + MARK);
    private static final Pattern SEPARATOR = Pattern.compile("\\s*;\\s*");

    private final TestNames tests;
    private final Build build;

    Claims(TestNames tests, Build build) {
        this.tests = tests;
        this.build = build;
    }

    /** Returns a message for each text without a mark, and for each name in a mark that the repository does not have. */
    List<String> problems(Document document) {
        List<String> problems = new ArrayList<>();
        List<String> unmarked = new ArrayList<>();
        List<String> prose = document.prose();
        int end;
        for (int start = 0; start < prose.size(); start = end) {
            end = endOfBlock(prose, start);
            String block = String.join("\n", prose.subList(start, end)).strip();
            if (ENDS_WITH_MARK.matcher(block).matches()) {
                unmarked.clear();
                problems.addAll(unknownNames(document.at(start), block));
            } else if (block.startsWith("#")) {
                problems.addAll(unmarked);
                unmarked.clear();
            } else {
                unmarked.addAll(claims(document.at(start), block));
            }
        }
        problems.addAll(unmarked);
        return problems;
    }

    /** Returns the number of names in all marks. */
    static long names(Document document) {
        return MARK.matcher(document.text())
                .results()
                .filter(mark -> mark.group(1).equals("shown by"))
                .flatMap(mark -> SEPARATOR.splitAsStream(mark.group(2)))
                .count();
    }

    /** A block ends behind an empty line, a heading, and before a heading. */
    private static int endOfBlock(List<String> prose, int start) {
        int end = start + 1;
        while (end < prose.size()
                && !prose.get(end).startsWith("#")
                && !prose.get(start).startsWith("#")
                && !prose.get(end - 1).isBlank()) {
            end++;
        }
        return end;
    }

    private static List<String> claims(String at, String block) {
        for (Passage passage : Passages.ofMarkdown(new Document(at, block))) {
            Matcher claim = CLAIM.matcher(VERSION.matcher(passage.text()).replaceAll(Passage.CODE));
            if (claim.find()) {
                return List.of(
                        at + ": '" + claim.group().replaceAll("\\s+", " ") + "' needs a mark that names what shows it");
            }
        }
        return List.of();
    }

    private List<String> unknownNames(String at, String block) {
        List<String> problems = new ArrayList<>();
        for (MatchResult mark : MARK.matcher(block).results().toList()) {
            if (mark.group(1).equals("shown by")) {
                String names = mark.group(2).replaceAll("\\s+", " ");
                for (String name : SEPARATOR.splitAsStream(names).toList()) {
                    if (name.contains("/") || name.startsWith("mvn ")) {
                        build.missing(name).forEach(missing -> problems.add(at + ": the build has no " + missing));
                    } else if (!tests.contains(name)) {
                        problems.add(at + ": there is no test " + name);
                    }
                }
            }
        }
        return problems;
    }
}
