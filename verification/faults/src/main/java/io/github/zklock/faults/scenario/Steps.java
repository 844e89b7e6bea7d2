package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.Trap;
import io.github.zklock.faults.rig.Trap.Phase;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.Stage;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The steps of a call, at each of which something happens: to one client for each phase of a step, side by side. A judge
 * takes each lock afterwards.
 */
final class Steps {

    /** Held for longer than an eighth of the session timeout: at least one renewal comes in between. */
    static final String ACROSS_A_RENEWAL = "500 forever ";

    private static final int NO_SUCH_STEP = Integer.MAX_VALUE;

    private final Map<Phase, Trial> trials = new EnumMap<>(Phase.class);
    private final ClientProcess judge;

    private Steps(Stage stage, List<Phase> phases) {
        judge = stage.client("judge", stage.ensemble().connectStringWithout());
        for (Phase phase : phases) {
            trials.put(phase, new Trial(stage, phase, stage.ensemble().servers()));
        }
        stage.awaitReady();
    }

    static Steps in(Stage stage, Phase... phases) {
        return new Steps(stage, List.of(phases));
    }

    Collection<Trial> trials() {
        return trials.values();
    }

    /** From here on each client is about a lock that nobody has used before. */
    Steps onNewLocks() {
        trials.values().forEach(Trial::onNewLock);
        return this;
    }

    /** From here on the work of each client throws an Error once it has held its lock. */
    Steps withErrors() {
        trials.values().forEach(Trial::withErrors);
        return this;
    }

    /** From here on all clients are about this lock. */
    Steps on(String lock) {
        trials.values().forEach(trial -> trial.on(lock));
        return this;
    }

    /**
     * Lets each client ask for its lock, hold it and give it back.
     *
     * @param how the end of the order: how long it is held, how it is asked for, what it is
     * @return how many steps that took at most
     */
    int undisturbed(String how) {
        ask(how, trial -> trial.trap(NO_SUCH_STEP));
        return finish(trial -> assertThat(trial.awaitEnd().kind()).isEqualTo(Kind.CLOSED));
    }

    /** Lets each client ask for its lock, with what waits for it on the way. */
    void ask(String how, Function<Trial, Trap> trap) {
        askAll(how, trial -> List.of(trap.apply(trial)));
    }

    /** The same with several things that wait for it, one after the other. */
    void askAll(String how, Function<Trial, List<Trap>> traps) {
        for (Trial trial : trials.values()) {
            trial.lay(traps.apply(trial));
            trial.ask(how);
        }
    }

    /**
     * Looks at what became of each client, and lets the judge take its lock.
     *
     * @return how many steps there were at most
     */
    int finish(Consumer<Trial> look) {
        trials.values().forEach(look);
        trials.values().forEach(trial -> trial.assertFree(judge));
        return trials.values().stream().mapToInt(Trial::lift).max().orElse(0);
    }
}
