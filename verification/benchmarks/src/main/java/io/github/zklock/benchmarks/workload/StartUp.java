package io.github.zklock.benchmarks.workload;

import static java.util.stream.Collectors.joining;

import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.faults.cluster.ChildProcess;
import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.Jvm;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An application that starts anew in each round. */
final class StartUp implements Measurement {

    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private static final Predicate<String> PLAIN = Pattern.compile(
                    "benchmarks/target|/(spring-(boot|core|beans|context|aop|expression)|logback|slf4j|jspecify|snakeyaml"
                            + "|micrometer|commons-logging|jakarta)[^/]*$")
            .asPredicate();

    private static final Predicate<String> STARTER = Pattern.compile(
                    "/zk-lock-(core|spring|spring-boot-(autoconfigure|starter))/target/classes$"
                            + "|/(zk-lock-(core|spring|spring-boot-(autoconfigure|starter))-\\d|curator|zookeeper|netty|aspectj)[^/]*$")
            .asPredicate();

    private final String servers;
    private final Path log;
    private final boolean starter;

    StartUp(MeasurementContext context, boolean starter) {
        this.servers = context.cluster().connectString();
        this.log = context.folder().resolve("application.log");
        this.starter = starter;
    }

    @Override
    public void prepare() {
        // each round starts from scratch
    }

    /** Runs once, so that its files are cached. */
    @Override
    public void warm(WarmUp warmUp) throws IOException {
        run(warmUp.slice());
    }

    @Override
    public Figures run(Duration time) throws IOException {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(part -> PLAIN.test(part) || (starter && STARTER.test(part)))
                .collect(joining(File.pathSeparator));
        List<String> options = List.of("-Dlogging.config=classpath:benchmarks-logback.xml");
        long start = System.nanoTime();
        try (ChildProcess application = ChildProcess.start(
                "application",
                Jvm.of(Jdk.own(), List.of(), options),
                log,
                Redirect.PIPE,
                // the later of two class paths counts
                List.of("-cp", classPath, Application.class.getName(), "--zk.lock.connect-string=" + servers))) {
            String answer = application.process().inputReader().readLine();
            if (!Application.STARTED.equals(answer)) {
                throw new IOException("The application did not start; " + log + " may say why");
            }
            return new Figures(Map.of(Figures.MILLIS, (System.nanoTime() - start) / NANOS_PER_MILLI));
        }
    }

    @Override
    public void close() {
        // each round closes its process
    }
}
