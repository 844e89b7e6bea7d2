package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Claim;
import io.github.zklock.benchmarks.contender.Contender;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** What a thread asks for, by turns. */
@FunctionalInterface
interface Claims {

    int PERCENT = 100;

    /** So many of a hundred write, where most read. */
    int WRITERS = 5;

    /**
     * The next one.
     *
     * @param dice a number from 0 to 99
     */
    Claim next(IntSupplier dice);

    /**
     * Those that an order names: {@code one} lock for all threads, {@code own} locks, {@code read-mostly}, {@code
     * permits-N} or {@code all-of-N}.
     */
    static Claims of(String what, Contender contender, Witness witness, int thread) {
        int dash = what.lastIndexOf('-');
        String kind = Character.isDigit(what.charAt(what.length() - 1)) ? what.substring(0, dash) : what;
        return switch (kind) {
            case "one" -> always(witness.exclusive(0, contender.exclusive("one")));
            case "own" -> always(witness.exclusive(thread, contender.exclusive("own-" + thread)));
            case "permits" -> {
                int permits = Integer.parseInt(what.substring(dash + 1));
                yield always(witness.permit(0, permits, contender.permit("permits", permits)));
            }
            case "all-of" -> {
                List<String> names = IntStream.range(0, Integer.parseInt(what.substring(dash + 1)))
                        .mapToObj(part -> "part-" + part)
                        .toList();
                yield always(witness.exclusive(0, contender.all(names)));
            }
            case "read-mostly" -> {
                Claim reading = witness.reading(0, contender.reading("read-mostly"));
                Claim writing = witness.writing(0, contender.writing("read-mostly"));
                yield dice -> dice.getAsInt() < WRITERS ? writing : reading;
            }
            default -> throw new IllegalArgumentException("Nothing is claimed by '" + what + "'");
        };
    }

    private static Claims always(Claim claim) {
        return dice -> claim;
    }
}
