package io.github.zklock.docs.check;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What the project does not write, and what it writes instead. The first rules hold for all English of the project; the
 * last ones keep one word for one thing, as {@code docs/glossary.md} defines them.
 */
final class Wording {

    /**
     * A word or phrase that is not written.
     *
     * @param pattern what is found, in lower or upper case; a space stands for any white space
     * @param remedy what to do about it
     */
    private record Rule(Pattern pattern, String remedy, List<Exemption> exemptions) {

        Rule except(String path, String phrase, String reason) {
            List<Exemption> more = new ArrayList<>(exemptions);
            more.add(new Exemption(path, phrase, reason));
            return new Rule(pattern, remedy, List.copyOf(more));
        }
    }

    /**
     * A place at which a rule does not apply.
     *
     * @param path the file, or its folder
     * @param phrase words around the place, in one line
     */
    record Exemption(String path, String phrase, String reason) {

        boolean holdsFor(Passage passage, MatchResult match) {
            if (!passage.path().contains(path)) {
                return false;
            }
            String text = passage.text().replace('\n', ' ');
            int at = text.indexOf(phrase);
            while (at >= 0 && (at > match.start() || at + phrase.length() < match.end())) {
                at = text.indexOf(phrase, at + 1);
            }
            return at >= 0;
        }
    }

    private static final List<Rule> RULES = List.of(
            // the subject of a sentence is a noun
            rule("whoever", "name the caller, holder, waiter, client, server, process or thread"),
            rule("whom?(?![^.!]*\\?)", "name the caller, holder, waiter, client, server, process or thread"),
            rule("(any|every|some)(body|one)|nobody|no one", "name it: no process, another thread, all clients")
                    .except("AccessList.java", "without the id anyone", "the only id of ZooKeeper's scheme world"),
            rule("those (who|that|which|whose)", "repeat the noun"),
            rule("the ones? (who|that|which|whose)", "repeat the noun"),
            rule("he|him|his|himself|she|hers?", "its, their, or the noun"),

            // verbs that say what happens
            rule("(give[sn]?|gave|giving) ((\\w+|" + Passage.CODE + ") ){0,3}back", "release a lock, return a value"),
            rule("(give[sn]?|gave|giving) up (an?|the|its|their) (lock|seat|permit)s?", "release"),
            rule("hears?|heard|hearing", "receive, detect"),
            rule("tells?|told|telling", "report, notify, state, show"),
            rule("says?|said|saying", "state, report, show, contain, log"),
            rule("refus(es?|ed|ing)(?! (\\w+ ){0,2}connections?)|refusals?", "reject")
                    .except("zk-lock-core/", "refusal", "the class Refusal is named so")
                    .except(
                            "ThreadTransactionTie.java",
                            "zk.lock.transaction is 'refuse'",
                            "the value of the property"),
            rule("(goes?|going|went|gone) on", "continue"),
            rule("(comes?|coming|came|goes|going|went|gone?) back", "return, reconnect"),
            rule("(to|can|could|may|must|not|cannot) be had|be had", "be acquired, be available"),
            rule("by (its|their) own accord|of (its|their) own accord", "name the cause"),

            // positive statements and terms of the trade
            rule("never\\b[^.;:]*\\bbecause", "state what happens, condition first: \"If X, Y\""),
            rule(
                    "(no|not|nothing|never|none|neither|cannot)\\b[^.,;:]{0,40}\\b(that|which) "
                            + "(is|are|was|were|has|have|does|do|did|can|could) not|not without|cannot not",
                    "no double negative: state the positive case"),
            rule("half of the (waits?|runs?|requests?|turns?)", "median, 99th percentile"),

            // no pictures, no persons
            rule("theat(re|er)s?|troupes?|jury|juries|actors?", "no theatre: name the thing"),
            rule("heirs?", "no family: name the next holder or waiter"),
            rule("doubt(s|ed|ful)?", "suspended for a lock, unknown for an outcome"),
            rule("hope[sd]?|hoping|hopefully", "state what is guaranteed"),
            rule("believe[sd]?|believing|think|thinks|thought", "regard as; name the fact")
                    .except("docs/comparison.md", "still thinks it has the lock", "a quotation of Curator's issue 727"),
            rule("in (vain|peace)|luck(y|ily)?|quarrels?|innocent|guilty|newcomers?", "state the fact"),
            rule("wants", "requests, needs"),
            rule("knows|(?<!you )(do|does|did) not know", "has received, has detected, contains"),

            // one word for one thing
            rule("contenders?|competitors?|rivals?", "waiter"),
            rule("hand(s|ed|ing)?[- ]?overs?", "hand-off")
                    .except("reliability.md", "hand-overs", "between processes, where a hand-off is within one"),
            rule("(has|have|had|having) (a|the|its) (lock|permit|turn)s?(?! (is|are|was|were))(?=[ .,;:)]|$)", "hold"),
            rule(
                    "(gets?|got|getting|obtains?|obtained|grabs?|seizes?) (an?|the|its|their|no) (lock|permit|turn)s?",
                    "acquire"),
            rule(
                    "(takes?|took|taken|taking) (an? |the |its |this |that |their |free |several |two |each |same )+"
                            + "(lock|permit)s?(?! (from|away))",
                    "acquire"),
            rule("locks? (is|are|was|were) (taken|had|got|obtained|grabbed)(?! (from|away))", "acquired"),
            rule("(stands?|waits?|first|next|last|place) in (the )?line", "in the queue"),
            rule("(locks?|lock's) z?nodes?", "seat"),
            rule("(fence|fencing) (number|counter|value)s?", "fencing token"),
            rule("(lock )?validity", "proof"),
            rule("circles?", "deadlock, or the cycle of a graph"),
            rule("(held|queued)( and|,)? (and |or )?awaited|awaited locks?", "waited for, waiting"),
            rule("re-?entranc[ey]|reentr(y|ies)", "re-entry"),
            rule("grace (period|time)s?|keep-?alive times?", "linger"));

    private Wording() {}

    private static Rule rule(String words, String remedy) {
        String whole = "(?<![\\w-])(?:" + words.replace(" ", "\\s+") + ")(?![\\w-])";
        return new Rule(Pattern.compile(whole, Pattern.CASE_INSENSITIVE), remedy, List.of());
    }

    /** Returns a message for each finding in the passages: file, line, words and remedy. */
    static List<String> problems(List<Passage> passages) {
        List<String> problems = new ArrayList<>();
        for (Passage passage : passages) {
            for (Rule rule : RULES) {
                rule.pattern()
                        .matcher(passage.text())
                        .results()
                        .filter(found -> rule.exemptions().stream().noneMatch(each -> each.holdsFor(passage, found)))
                        .forEach(found -> problems.add(passage.at(found) + ": instead of '"
                                + found.group().replaceAll("\\s+", " ") + "': " + rule.remedy()));
            }
        }
        return problems;
    }

    /** Returns the exemptions for which the passages have no finding. */
    static List<Exemption> unusedExemptions(List<Passage> passages) {
        return RULES.stream()
                .flatMap(rule -> rule.exemptions().stream()
                        .filter(exemption -> passages.stream()
                                .noneMatch(passage -> rule.pattern()
                                        .matcher(passage.text())
                                        .results()
                                        .anyMatch(found -> exemption.holdsFor(passage, found)))))
                .toList();
    }
}
