package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.LockAdapter;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** What a thread asks for, by turns. */
@FunctionalInterface
interface LockChoice {

    int PERCENT = 100;

    /** So many of a hundred write, where most read. */
    int WRITERS = 5;

    /**
     * The next one.
     *
     * @param dice a number from 0 to 99
     */
    LockAdapter next(IntSupplier dice);

    /**
     * Those that an order names: {@code one} lock for all threads, {@code own} locks, {@code read-mostly}, {@code
     * permits-N} or {@code all-of-N}.
     */
    static LockChoice of(String what, Contender contender, ExclusionCheck check, int thread) {
        int dash = what.lastIndexOf('-');
        String kind = Character.isDigit(what.charAt(what.length() - 1)) ? what.substring(0, dash) : what;
        return switch (kind) {
            case "one" -> always(check.exclusive(0, contender.exclusive("one")));
            case "own" -> always(check.exclusive(thread, contender.exclusive("own-" + thread)));
            case "permits" -> {
                int permits = Integer.parseInt(what.substring(dash + 1));
                yield always(check.permit(0, permits, contender.permit("permits", permits)));
            }
            case "all-of" -> {
                List<String> names = IntStream.range(0, Integer.parseInt(what.substring(dash + 1)))
                        .mapToObj(part -> "part-" + part)
                        .toList();
                yield always(check.exclusive(0, contender.all(names)));
            }
            case "read-mostly" -> {
                LockAdapter reading = check.reading(0, contender.reading("read-mostly"));
                LockAdapter writing = check.writing(0, contender.writing("read-mostly"));
                yield dice -> dice.getAsInt() < WRITERS ? writing : reading;
            }
            default -> throw new IllegalArgumentException("Nothing is claimed by '" + what + "'");
        };
    }

    private static LockChoice always(LockAdapter lock) {
        return dice -> lock;
    }
}
