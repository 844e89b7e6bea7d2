package io.github.zklock.browser.shop;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A shop that was started by a command, with all processes that the command has started, and what they say. */
final class ShopProcess implements AutoCloseable {

    private static final Pattern LAST_LINE = Pattern.compile("The shop is open: (http://localhost:\\d+)");
    private static final Set<ShopProcess> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(ShopProcess::close), "close-shops"));
    }

    private final Process process;
    private final Path log;

    private ShopProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static ShopProcess start(Path directory, List<String> command, Path log) {
        try {
            Files.createDirectories(directory);
            ShopProcess shop = new ShopProcess(
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start(),
                    log);
            RUNNING.add(shop);
            return shop;
        } catch (IOException e) {
            throw new UncheckedIOException("The shop cannot be started by " + command, e);
        }
    }

    /** One on the class path of these tests, but for the tests themselves. */
    static ShopProcess java(Path directory, Path log, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPathOfTheShop()));
        command.add("com.example.ordershop.OrderShop");
        command.addAll(List.of(arguments));
        return start(directory, command, log);
    }

    /** Where it says that it is open, as its last line; waits for that. */
    String address(Duration longest) {
        Awaitility.await("the last line names the address")
                .atMost(longest)
                .until(() -> addressInLastLine().isPresent() || !process.isAlive());
        return addressInLastLine()
                .orElseThrow(
                        () -> new AssertionError("The shop has ended before it was open; its output:\n" + output()));
    }

    String output() {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends what the command has started, and then the command: parents first would leave orphans. */
    @Override
    public void close() {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        for (ProcessHandle each : all) {
            try {
                each.onExit().get(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                each.destroyForcibly();
            } catch (Exception stillRunning) {
                each.destroyForcibly();
            }
        }
        RUNNING.remove(this);
    }

    private Optional<String> addressInLastLine() {
        return output().lines()
                .filter(line -> !line.isBlank())
                .reduce((earlier, later) -> later)
                .map(LAST_LINE::matcher)
                .filter(Matcher::matches)
                .map(found -> found.group(1));
    }

    private static String classPathOfTheShop() {
        String tests = Path.of("target", "test-classes").toAbsolutePath().toString();
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .filter(entry -> !Path.of(entry).toAbsolutePath().toString().equals(tests))
                .reduce((left, right) -> left + File.pathSeparator + right)
                .orElseThrow();
    }
}
