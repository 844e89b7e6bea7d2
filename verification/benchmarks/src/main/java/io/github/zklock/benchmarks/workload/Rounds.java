package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.load.Figures;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Lets all who take part be measured in turn, again and again, so that a slow moment of the machine hits none alone. */
public final class Rounds {

    private record Seated(Entry entry, Player player) {}

    private final Setting setting;
    private final WarmUp warmUp;
    private final int count;
    private final Duration time;
    private final PrintStream progress;
    private final Random random = new Random(1);

    /**
     * @param warmUp of each player before it is measured, where it is measured again and again
     * @param time of each round of each player
     */
    public Rounds(Setting setting, WarmUp warmUp, int count, Duration time, PrintStream progress) {
        this.setting = setting;
        this.warmUp = warmUp;
        this.count = count;
        this.time = time;
        this.progress = progress;
    }

    /** Lets the servers work before anybody is measured: their JVMs compile as well. */
    public void warmServers(Duration time) throws Exception {
        Entry floor = Staff.of("turns threads=64 claim=own").entry(Contenders.FLOOR);
        try (Player player = floor.opening().open(setting)) {
            player.prepare();
            player.run(time);
        }
    }

    public Outcome play(Workload workload) throws Exception {
        Outcome outcome = new Outcome(workload);
        try (Cast cast = new Cast(workload, setting)) {
            List<Seated> players = cast.players;
            if (workload.isRepeated()) {
                // what is slow the first time is not measured; what is done once does that by itself
                for (Seated one : players) {
                    one.player().warm(workload.cold() ? warmUp.impatient() : warmUp);
                }
            }
            for (int round = 0; round < Math.min(count, workload.rounds()); round++) {
                // nobody is always after the same one, who may have left the servers something to do
                Collections.shuffle(players, random);
                for (Seated one : players) {
                    one.player().prepare();
                    Figures figures = one.player().run(time);
                    outcome.add(one.entry().label(), figures);
                    progress.print('.');
                }
            }
        }
        return outcome;
    }

    /** All who take part in one workload. */
    private static final class Cast implements AutoCloseable {

        private final List<Seated> players = new ArrayList<>();

        Cast(Workload workload, Setting setting) throws Exception {
            try {
                for (Entry entry : workload.entries()) {
                    players.add(new Seated(entry, entry.opening().open(setting)));
                }
            } catch (Exception | Error e) {
                try (this) {
                    throw e;
                }
            }
        }

        @Override
        public void close() throws Exception {
            Closing.all(players.stream().map(Seated::player));
        }
    }
}
