package io.github.zklock.benchmarks.workload;

import static io.github.zklock.benchmarks.contender.Contenders.ASYNC;
import static io.github.zklock.benchmarks.contender.Contenders.BOUNDED;
import static io.github.zklock.benchmarks.contender.Contenders.CREATE_AND_DELETE;
import static io.github.zklock.benchmarks.contender.Contenders.CURATOR;
import static io.github.zklock.benchmarks.contender.Contenders.CURATOR_BEHIND;
import static io.github.zklock.benchmarks.contender.Contenders.FAIR_JDK;
import static io.github.zklock.benchmarks.contender.Contenders.JDK;
import static io.github.zklock.benchmarks.contender.Contenders.REDISSON;
import static io.github.zklock.benchmarks.contender.Contenders.SHEDLOCK;
import static io.github.zklock.benchmarks.contender.Contenders.SPRING_INTEGRATION;
import static io.github.zklock.benchmarks.contender.Contenders.STRICT;
import static io.github.zklock.benchmarks.contender.Contenders.WATCHED;

import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.micro.InterceptorBenchmark;
import io.github.zklock.benchmarks.micro.RegistryBenchmark;
import io.github.zklock.faults.cluster.Jdk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All workloads. */
public final class Workloads {

    private static final List<Figure> TURNS =
            List.of(Figure.RATE, Figure.MEDIAN, Figure.P99, Figure.TAIL, Figure.CPU_EACH, Figure.CPU_SERVERS);
    private static final List<Figure> CROWDED = List.of(
            Figure.RATE,
            Figure.LEAST_SHARE,
            Figure.MOST_SHARE,
            Figure.MEDIAN,
            Figure.P99,
            Figure.TAIL,
            Figure.CPU_EACH,
            Figure.CPU_SERVERS);
    private static final List<Figure> COLD =
            List.of(Figure.RATE, Figure.MEDIAN, Figure.P99, Figure.CPU_CLIENTS, Figure.CPU_SERVERS);
    private static final List<Figure> COUNTED =
            List.of(Figure.RATE, Figure.MEDIAN, Figure.REQUESTS, Figure.EVENTS, Figure.BYTES);
    private static final List<Figure> QUEUED =
            List.of(Figure.BYTES, Figure.REQUESTS, Figure.EVENTS, Figure.MOST_EVENTS, Figure.MEDIAN);
    private static final List<Figure> MICRO = List.of(Figure.NANOS, Figure.ALLOCATED);

    private static final Contenders[] ALONE = {
        BOUNDED, ASYNC, CURATOR, SPRING_INTEGRATION, SHEDLOCK, REDISSON, CREATE_AND_DELETE
    };
    private static final Contenders[] TOGETHER = {
        BOUNDED, STRICT, ASYNC, CURATOR, CURATOR_BEHIND, SPRING_INTEGRATION, REDISSON, WATCHED, FAIR_JDK
    };

    private static final String OURS = BOUNDED.label();
    private static final String ORDERED = STRICT.label();
    private static final String THEIRS = CURATOR.label();
    private static final String FLOOR = CREATE_AND_DELETE.label();

    private static final int FIRST = 2_000;
    private static final int MILLIS_AWAY = 5;
    private static final Duration DELAY = Duration.ofMillis(MILLIS_AWAY);
    /** From this length on, the listing of a queue is worth avoiding. */
    private static final int LONG = 1_000;
    /** The first Java version with virtual threads. */
    private static final int VIRTUAL = 21;

    private Workloads() {}

    /** Returns the workloads that can run here, in the order of the report. */
    public static List<Workload> all() {
        return Stream.of(uncontended(), contended(), distant(), counted(), large(), inOneProcess())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Workload> uncontended() {
        return List.of(
                Workload.of(
                        "free",
                        "A free lock, one thread",
                        "How long does a lock take that no other process requests?",
                        TURNS,
                        LoadSpec.of("turns threads=1 claim=one").entries(ALONE),
                        Goal.atLeastTimes(1.6, Figure.RATE, OURS, THEIRS),
                        Goal.atLeastTimes(1.2, Figure.RATE, OURS, FLOOR)),
                cold(
                        "cold",
                        "as fast as possible",
                        "first locks=" + FIRST,
                        Goal.atLeastTimes(1.2, Figure.RATE, OURS, THEIRS),
                        Goal.atMostTimes(1, Figure.CPU_CLIENTS, OURS, THEIRS)),
                cold(
                        "cold-rare",
                        "50 a second",
                        "first rate=50 locks=" + FIRST,
                        Goal.atMostTimes(1, Figure.CPU_CLIENTS, OURS, THEIRS)),
                own(8, Goal.atLeastTimes(2.5, Figure.RATE, OURS, THEIRS)),
                own(
                        64,
                        Goal.atLeastTimes(5, Figure.RATE, OURS, THEIRS),
                        Goal.atLeastTimes(3, Figure.RATE, OURS, FLOOR),
                        Goal.atMostTimes(0.2, Figure.CPU_SERVERS, OURS, THEIRS)),
                own(256, Goal.atLeastTimes(6, Figure.RATE, OURS, THEIRS)).withoutPage(),
                allOf(4, 4).withoutPage(),
                allOf(20, 15));
    }

    private static Workload cold(String id, String how, String load, Goal... goals) {
        return Workload.of(
                        id,
                        "The first %,d locks of a process, one thread, %s".formatted(FIRST, how),
                        "What does a lock cost before its code is compiled?",
                        COLD,
                        LoadSpec.fresh(load, BOUNDED, CURATOR),
                        goals)
                .inFewRounds();
    }

    private static Workload own(int threads, Goal... goals) {
        return Workload.of(
                "own-" + threads,
                threads + " threads, each with a lock of its own",
                "How many locks can a process acquire, if no lock is contended?",
                TURNS,
                LoadSpec.of("turns claim=own threads=" + threads)
                        .entries(BOUNDED, CURATOR, SPRING_INTEGRATION, CREATE_AND_DELETE),
                goals);
    }

    private static Workload allOf(int locks, double times) {
        return Workload.of(
                "all-of-" + locks,
                locks + " locks at once, one thread",
                "What do several locks cost that are acquired together?",
                TURNS,
                LoadSpec.of("turns threads=1 claim=all of=" + locks).entries(BOUNDED, CURATOR, CREATE_AND_DELETE),
                Goal.atLeastTimes(times, Figure.RATE, OURS, THEIRS));
    }

    private static List<Workload> contended() {
        return List.of(
                Workload.of(
                        "one-process",
                        "16 threads of one process on one lock",
                        "How often does a lock change hands within a process?",
                        TURNS,
                        LoadSpec.of("turns threads=16 claim=one").entries(TOGETHER),
                        Goal.atLeastTimes(5, Figure.RATE, ORDERED, THEIRS),
                        Goal.atLeastTimes(1, Figure.RATE, OURS, FAIR_JDK.label()),
                        Goal.atMost(20, Figure.TAIL, OURS)),
                Workload.of(
                        "three-processes",
                        "3 processes with 16 threads each on one lock",
                        "How often does a lock change hands, and does each process get its share?",
                        CROWDED,
                        LoadSpec.of("turns threads=16 claim=one")
                                .times(3)
                                .entries(BOUNDED, STRICT, CURATOR, CURATOR_BEHIND, SPRING_INTEGRATION),
                        Goal.atLeastTimes(5, Figure.RATE, ORDERED, THEIRS),
                        Goal.atLeastTimes(150, Figure.RATE, OURS, THEIRS),
                        Goal.atLeast(0.8, Figure.LEAST_SHARE, OURS),
                        Goal.atMost(1.2, Figure.MOST_SHARE, OURS),
                        Goal.atLeast(0.8, Figure.LEAST_SHARE, ORDERED),
                        Goal.atMost(1.2, Figure.MOST_SHARE, ORDERED)),
                Workload.of(
                        "ten-processes",
                        "10 processes with 4 threads each on one lock",
                        "What does strict order cost among many processes?",
                        CROWDED,
                        LoadSpec.of("turns threads=4 claim=one").times(10).entries(BOUNDED, STRICT, CURATOR),
                        Goal.atLeastTimes(3, Figure.RATE, ORDERED, THEIRS)),
                held(1),
                held(10),
                Workload.of(
                        "tries",
                        "A try for a lock that another client has",
                        "How soon does a try end if the lock is held?",
                        TURNS,
                        LoadSpec.of("tries").entries(BOUNDED, CURATOR, SPRING_INTEGRATION, SHEDLOCK),
                        Goal.atLeastTimes(3, Figure.RATE, OURS, THEIRS)),
                Workload.of(
                        "read-mostly",
                        "16 threads that read, and write every twentieth time",
                        "What is gained by readers that hold the lock together?",
                        TURNS,
                        LoadSpec.of("turns threads=16 claim=read-mostly").entries(BOUNDED, STRICT, CURATOR),
                        Goal.atLeastTimes(20, Figure.RATE, OURS, THEIRS)),
                Workload.of(
                        "permits-of-three",
                        "3 processes with 16 threads each on a semaphore of 8",
                        "How often do permits change hands between processes?",
                        TURNS,
                        LoadSpec.of("turns threads=16 claim=permits of=8")
                                .times(3)
                                .entries(BOUNDED, STRICT, CURATOR),
                        Goal.atLeastTimes(5, Figure.RATE, ORDERED, THEIRS)));
    }

    /** Shorter than the time of a seat: work of most services. */
    private static Workload held(int millis) {
        return Workload.of(
                        "held-%d-ms".formatted(millis),
                        "3 processes with 4 threads each that hold one lock for %d ms".formatted(millis),
                        "What does the order of the queue cost if the work under the lock takes time?",
                        CROWDED,
                        LoadSpec.of("turns threads=4 claim=one work=" + millis)
                                .times(3)
                                .entries(BOUNDED, STRICT, CURATOR, CURATOR_BEHIND))
                .inFewRounds();
    }

    private static List<Workload> distant() {
        String oneNode = "create + delete of one node, no lock";
        LoadSpec one = LoadSpec.of("turns threads=1 claim=one").through(DELAY);
        LoadSpec twenty = LoadSpec.of("turns threads=1 claim=all of=20").through(DELAY);
        return List.of(
                distant(
                        "free",
                        "A free lock",
                        "How many round trips does a lock take?",
                        one.entries(BOUNDED, CURATOR, SPRING_INTEGRATION, CREATE_AND_DELETE),
                        // a single create takes one round trip and the time of the servers
                        Goal.atMostTimes(1.1, Figure.MEDIAN, OURS, FLOOR)),
                distant(
                        "one-process",
                        "16 threads of one process on one lock",
                        "What goes over the wire for each turn?",
                        LoadSpec.of("turns threads=16 claim=one")
                                .through(DELAY)
                                .entries(BOUNDED, STRICT, CURATOR, SPRING_INTEGRATION, WATCHED)),
                distantOwn(8, 2.3).withoutPage(),
                distantOwn(64, 2.5),
                distant(
                        "all-of-20",
                        "20 locks at once",
                        "How many round trips do several locks take?",
                        List.of(
                                twenty.entry(BOUNDED, OURS),
                                twenty.entry(CURATOR, THEIRS),
                                one.entry(CREATE_AND_DELETE, oneNode)),
                        Goal.atMostTimes(1.1, Figure.MEDIAN, OURS, oneNode),
                        Goal.atLeastTimes(15, Figure.RATE, OURS, THEIRS)));
    }

    private static Workload distantOwn(int threads, double times) {
        return distant(
                "own-" + threads,
                threads + " threads, each with a lock of its own",
                "Do requests that share a transaction wait for each other?",
                LoadSpec.of("turns claim=own threads=" + threads)
                        .through(DELAY)
                        .entries(BOUNDED, CURATOR, CREATE_AND_DELETE),
                Goal.atMostTimes(1.1, Figure.MEDIAN, OURS, FLOOR),
                Goal.atLeastTimes(times, Figure.RATE, OURS, THEIRS));
    }

    private static Workload distant(String id, String title, String question, List<Entry> entries, Goal... goals) {
        String suffix = ", servers " + MILLIS_AWAY + " ms away";
        return counted(id + "-" + MILLIS_AWAY + "-ms", title + suffix, question, entries, goals);
    }

    private static Workload counted(String id, String title, String question, List<Entry> entries, Goal... goals) {
        return Workload.of(id, title, question, COUNTED, entries, goals)
                .inFewRounds()
                .withColdCode();
    }

    private static List<Workload> counted() {
        return List.of(
                queue(1, BOUNDED, CURATOR, WATCHED),
                queue(100, BOUNDED, CURATOR, WATCHED).withoutPage(),
                // without the waiters that each need a session: too many
                queue(LONG, BOUNDED, CURATOR).withoutPage(),
                counted(
                                "threads-1000",
                                "1,000 threads of 5 processes on one lock",
                                "What goes over the wire for a turn if most waiters are threads of the same processes?",
                                LoadSpec.of("turns claim=one threads=200")
                                        .times(5)
                                        .through(Duration.ZERO)
                                        .entries(BOUNDED, CURATOR),
                                Goal.atMostTimes(0.1, Figure.BYTES, OURS, THEIRS))
                        .withoutPage(),
                // every turn goes to another process
                counted(
                                "places",
                                "10 processes with 16 threads each on one lock, through a proxy that counts",
                                "What goes over the wire for a turn in strict order?",
                                LoadSpec.of("turns threads=16 claim=one")
                                        .times(10)
                                        .through(Duration.ZERO)
                                        .entries(STRICT, CURATOR),
                                Goal.atMostTimes(0.2, Figure.BYTES, ORDERED, THEIRS))
                        .withoutPage(),
                Workload.of(
                                "holds-10000",
                                "10,000 locks held by one process",
                                "What do locks cost that are only held?",
                                List.of(Figure.REQUESTS_PER_SECOND, Figure.BYTES_PER_SECOND, Figure.CPU),
                                LoadSpec.of("holds locks=10000")
                                        .through(Duration.ZERO)
                                        .entries(BOUNDED, CURATOR))
                        .once());
    }

    static Workload queue(int waiters, Contenders... systems) {
        List<Goal> goals = new ArrayList<>();
        goals.add(Goal.atLeast(1, Figure.LEAST_EVENTS, OURS));
        goals.add(Goal.atMost(1, Figure.MOST_EVENTS, OURS));
        if (waiters >= LONG) {
            goals.add(Goal.atMostTimes(0.1, Figure.BYTES, OURS, THEIRS));
        }
        return Workload.of(
                        "line-" + waiters,
                        "A queue of %,d".formatted(waiters),
                        "What goes over the wire between a release and the next grant?",
                        QUEUED,
                        LoadSpec.queue(waiters, systems),
                        goals.toArray(Goal[]::new))
                .inFewRounds()
                .withColdCode();
    }

    private static List<Workload> large() {
        Workload names = Workload.of(
                        "names",
                        "100,000 names that are used once",
                        "What is left of a lock that no process uses any more?",
                        List.of(Figure.LEFT, Figure.RATE, Figure.HEAP_GROWTH),
                        LoadSpec.of("names names=100000").entries(BOUNDED, CURATOR),
                        Goal.atLeastTimes(2, Figure.RATE, OURS, THEIRS),
                        Goal.atMost(1.05, Figure.HEAP_GROWTH, OURS),
                        Goal.atMost(0, Figure.LEFT, OURS))
                .once();
        Stream<Workload> virtual = Jdk.all().stream()
                .filter(jdk -> jdk.feature() >= VIRTUAL)
                .limit(1)
                .flatMap(jdk -> Stream.of(waiters(jdk), crowd(jdk)))
                .map(Workload::withoutPage);
        return Stream.concat(Stream.of(names), virtual).toList();
    }

    private static Workload waiters(Jdk jdk) {
        String fewer = "1,000 waiters";
        String more = "16,000 waiters";
        return Workload.of(
                        "waiters",
                        "From 1,000 to 16,000 virtual threads in strict order, Java " + jdk,
                        "Does a turn cost more if more threads wait?",
                        List.of(Figure.RATE, Figure.BYTES_FOR_EACH, Figure.DRAIN_SECONDS),
                        List.of(
                                LoadSpec.of("virtual threads=1000").on(jdk).entry(STRICT, fewer),
                                LoadSpec.of("virtual threads=16000").on(jdk).entry(STRICT, more)),
                        Goal.atLeastTimes(1 / 1.5, Figure.RATE, more, fewer))
                .inFewRounds()
                .withColdCode();
    }

    private static Workload crowd(Jdk jdk) {
        return Workload.of(
                        "crowd",
                        "100,000 virtual threads that wait for one lock, Java " + jdk,
                        "What does it cost to wait?",
                        List.of(Figure.BYTES_FOR_EACH, Figure.SEATS, Figure.DRAIN_SECONDS),
                        LoadSpec.of("virtual threads=100000").on(jdk).entries(BOUNDED, JDK),
                        Goal.atMost(1, Figure.SEATS, OURS),
                        Goal.atMost(10, Figure.DRAIN_SECONDS, OURS),
                        Goal.atMostMore(256, Figure.BYTES_FOR_EACH, OURS, JDK.label()))
                .inFewRounds()
                .withColdCode();
    }

    private static List<Workload> inOneProcess() {
        String isHeld = "isHeld()";
        String clock = "nanoTime() and compare";
        String turn = "lock() and unlock()";
        String again = "entered again";
        return List.of(
                micro(
                                "is-held",
                                isHeld,
                                "What does it cost to ask before each write?",
                                List.of(registry(isHeld, "isHeld", Map.of()), registry(clock, "clock", Map.of())),
                                Goal.atMostTimes(1.3, Figure.NANOS, isHeld, clock),
                                Goal.atMost(0.1, Figure.ALLOCATED, isHeld))
                        .withoutPage(),
                micro(
                        "retaken-alone",
                        "A lock that lingers, from turn to turn",
                        "What is left if no turn has to ask a server?",
                        List.of(
                                registry(turn, "lockAndUnlock", Map.of()),
                                registry("acquire() and close()", "acquireAndClose", Map.of()),
                                registry(again, "nested", Map.of()),
                                registry("only the check of the stack, twice in a turn", "stackCheck", Map.of()),
                                registry("handed on, 2 threads", "handedOn", Map.of())),
                        Goal.atMost(300, Figure.NANOS, turn),
                        Goal.atMost(300, Figure.ALLOCATED, turn),
                        Goal.atMost(150, Figure.NANOS, again)),
                micro(
                        "annotation",
                        "@DistributedLock on a lock in memory",
                        "What does the annotation add to its lock?",
                        List.of(
                                micro("without annotation", InterceptorBenchmark.class, "bare", Map.of()),
                                micro("a name", InterceptorBenchmark.class, "literal", Map.of()),
                                micro("a name with an argument", InterceptorBenchmark.class, "template", Map.of()))),
                micro(
                        "nested",
                        "A lock that lingers, under another lock",
                        "What does it cost to observe the order of nested locks?",
                        List.of(
                                registry("order observed", "nested", Map.of("name", "/outer", "order", "WARN")),
                                registry("order not observed", "nested", Map.of("name", "/outer")))),
                micro(
                        "once-per",
                        "A job that is not due",
                        "What does a call cost that finds that the job has run in its window?",
                        List.of(registry("a call that is skipped", "skip", Map.of()))),
                Workload.of(
                                "leader-kill",
                                "A leader that is killed, session timeout %d s"
                                        .formatted(LeaderKill.SESSION.toSeconds()),
                                "How long has a service no leader?",
                                List.of(Figure.MILLIS),
                                List.of(
                                        LoadSpec.leaderKill(BOUNDED, "zk-lock"),
                                        LoadSpec.leaderKill(CURATOR, "Curator's LeaderLatch")))
                        .inFewRounds());
    }

    private static Workload micro(String id, String title, String question, List<Entry> entries, Goal... goals) {
        return Workload.of(id, title, question, MICRO, entries, goals).inFewRounds();
    }

    private static Entry registry(String label, String method, Map<String, String> parameters) {
        return micro(label, RegistryBenchmark.class, method, parameters);
    }

    private static Entry micro(String label, Class<?> benchmark, String method, Map<String, String> parameters) {
        return new Entry(label, context -> new JmhMeasurement(benchmark, method, parameters));
    }
}
