package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.contender.Election;
import io.github.zklock.benchmarks.load.CandidateMain;
import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.faults.cluster.ChildProcess;
import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.Jvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The time from the death of a leader until the other process is the leader. The servers detect the death by the end of
 * its session. */
final class LeaderKill implements Measurement {

    /** Two ticks of the servers, which is their smallest timeout. */
    static final Duration SESSION = Duration.ofSeconds(4);

    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    /** Until a candidate stands in the queue and watches it. */
    private static final Duration REST = Duration.ofSeconds(2);

    private record Candidate(ChildProcess process, BufferedReader output) {

        void await(String line) throws IOException {
            String read = output.readLine();
            if (!line.equals(read)) {
                throw new IOException(process.name() + " printed '" + read + "' instead of '" + line + "'");
            }
        }
    }

    private final Election election;
    private final String servers;
    private final Path log;
    private @Nullable Candidate leader;
    private @Nullable Candidate follower;

    LeaderKill(MeasurementContext context, Election election) {
        this.election = election;
        this.servers = context.cluster().connectString();
        this.log = context.folder().resolve("candidates.log");
    }

    @Override
    public void prepare() throws IOException, InterruptedException {
        if (leader == null) {
            leader = start();
            leader.await("leader");
        }
        if (follower == null) {
            follower = start();
            TimeUnit.MILLISECONDS.sleep(REST.toMillis());
        }
    }

    @Override
    public void warm(WarmUp warmUp) {
        // a candidate of a service has waited for long when its leader dies, but has never been elected
    }

    @Override
    public Figures run(Duration time) throws IOException {
        Candidate killed = leader;
        Candidate elected = follower;
        if (killed == null || elected == null) {
            throw new IllegalStateException("not prepared");
        }
        long start = System.nanoTime();
        killed.process().close();
        elected.await("leader");
        double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
        leader = elected;
        follower = null;
        return new Figures(Map.of(Figures.MILLIS, millis));
    }

    private Candidate start() throws IOException {
        ChildProcess process = ChildProcess.start(
                "candidate",
                Jvm.of(
                        Jdk.own(),
                        List.of(),
                        List.of(
                                "-Dlogback.configurationFile=benchmarks-logback.xml",
                                "-D" + Contenders.SESSION_SECONDS + "=" + SESSION.toSeconds())),
                log,
                Redirect.PIPE,
                List.of(CandidateMain.class.getName(), election.name(), servers));
        Candidate candidate = new Candidate(process, process.process().inputReader());
        candidate.await("candidate");
        return candidate;
    }

    @Override
    public void close() {
        if (leader != null) {
            leader.process().close();
        }
        if (follower != null) {
            follower.process().close();
        }
    }
}
