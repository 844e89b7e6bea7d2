package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Contenders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A process under load. Its arguments are the system, its servers and the load. It prints {@code ready}, and then reads
 * commands, one a line: {@code prepare} and {@code rest}, which it answers with {@code done}; {@code run MILLIS}, which
 * it answers with figures. It ends with its input, or with a failure of any of its threads.
 */
public final class LoadMain {

    /** The argument with the file of the {@link ExclusionCheck}. */
    public static final String CHECK_FILE = "check";

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
        Arguments arguments = Arguments.parse(List.of(args).subList(3, args.length));
        try (Contender contender = system.open(servers);
                Load load = load(args[2], system, contender, servers, arguments);
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

    private static Load load(String name, Contenders system, Contender contender, String servers, Arguments arguments)
            throws Exception {
        return switch (name) {
            case "turns" -> new Turns(contender, check(arguments), arguments);
            case "tries" -> new Tries(contender, system.open(servers));
            case "line" -> new WaiterQueue(contender, check(arguments), arguments);
            case "first" -> new FirstLocks(contender, check(arguments), arguments);
            case "names" -> new OneTimeNames(contender, arguments);
            case "holds" -> new Holds(contender, arguments);
            case "virtual" -> new VirtualThreads(contender, check(arguments), arguments);
            case "candidate" -> new Candidate(contender);
            default -> throw new IllegalArgumentException("No load '" + name + "'");
        };
    }

    private static ExclusionCheck check(Arguments arguments) throws IOException {
        return new ExclusionCheck(Path.of(arguments.text(CHECK_FILE)));
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
        return figures.and(Figure.COMPILING, (compiler.getTotalCompilationTime() - before) / Load.secondsSince(start));
    }
}
