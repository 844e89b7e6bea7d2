package io.github.zklock.autoconfigure.diagnostics;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/**
 * The analysis of a failure that reports one mistake, or several: the others are suppressed exceptions of the first. The
 * mistakes and their remedies have the same numbers.
 */
final class Mistakes {

    private Mistakes() {}

    static <E extends Throwable> FailureAnalysis analyze(
            E first, Class<E> type, Function<E, String> mistake, Function<E, String> remedy) {
        List<E> all = Stream.concat(Stream.of(first), Stream.of(first.getSuppressed()))
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
        return new FailureAnalysis(text(all, mistake), text(all, remedy), first);
    }

    private static <E> String text(List<E> mistakes, Function<E, String> part) {
        if (mistakes.size() == 1) {
            return sentence(part.apply(mistakes.get(0)));
        }
        return IntStream.range(0, mistakes.size())
                .mapToObj(i -> "    " + (i + 1) + ". " + sentence(part.apply(mistakes.get(i))))
                .collect(Collectors.joining("\n"));
    }

    /** Makes a sentence of a text that exceptions carry in lower case and without a period. */
    private static String sentence(String text) {
        // the name of a property is not capitalized
        String start = text.startsWith("zk.lock.") ? text : StringUtils.capitalize(text);
        return start + (start.endsWith(".") ? "" : ".");
    }
}
