package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Contenders;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process under load. Its arguments are the system, its servers and the load. It prints {@code ready}, and then reads
 * commands, one a line: {@code prepare} and {@code rest}, which it answers with {@code done}; {@code run MILLIS}, which
 * it answers with figures. It ends with its input, or with a failure of any of its threads.
 */
public final class LoadMain {

    private static final String DONE = "done";

    private LoadMain() {}

    /**
     * Reads commands until the end of its input.
     *
     * @param args the system, the servers, the load, and the arguments of the load
     */
    public static void main(String[] args) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler(LoadMain::end);
        Contenders system = Contenders.valueOf(args[0]);
        String servers = args[1];
        List<String> words = List.of(args).subList(3, args.length);
        try (Contender contender = system.open(servers);
                Load load = Loads.open(system, contender, servers, args[2], words);
                BufferedReader commands =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            System.out.println("ready");
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                System.out.println(execute(command, load));
            }
        }
        // ends threads that the system has left running
        System.exit(0);
    }

    private static void end(Thread thread, Throwable failure) {
        failure.printStackTrace();
        Runtime.getRuntime().halt(1);
    }

    private static String execute(String command, Load load) throws Exception {
        if (command.equals("prepare")) {
            load.prepare();
            return DONE;
        }
        if (command.equals("rest")) {
            load.rest();
            return DONE;
        }
        Duration time = Duration.ofMillis(Long.parseLong(command.substring("run ".length())));
        return run(load, time).toString();
    }

    private static Figures run(Load load, Duration time) throws Exception {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        long before = compiler.getTotalCompilationTime();
        long start = System.nanoTime();
        Figures figures = load.run(time);
        double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
        return figures.and(Map.of(Figures.COMPILING, (compiler.getTotalCompilationTime() - before) / seconds));
    }
}
