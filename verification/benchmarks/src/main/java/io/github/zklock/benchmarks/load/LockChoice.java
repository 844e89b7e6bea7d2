package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.LockAdapter;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** Chooses the lock of a thread's next turn. */
@FunctionalInterface
interface LockChoice {

    int PERCENT = 100;

    /** The percentage of writers in a load that mostly reads. */
    int WRITERS = 5;

    /**
     * Returns the lock of the next turn.
     *
     * @param dice a number from 0 to 99
     */
    LockAdapter next(IntSupplier dice);

    /**
     * Returns the choice that an argument names: {@code one} lock for all threads, {@code own} locks,
     * {@code read-mostly}, {@code permits-N} or {@code all-of-N}.
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
            default -> throw new IllegalArgumentException("No choice of locks '" + what + "'");
        };
    }

    private static LockChoice always(LockAdapter lock) {
        return dice -> lock;
    }
}
