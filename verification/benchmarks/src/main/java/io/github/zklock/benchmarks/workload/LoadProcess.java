package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.CountingProxy;
import io.github.zklock.benchmarks.cluster.Traffic;
import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.benchmarks.load.LoadMain;
import io.github.zklock.faults.cluster.ChildProcess;
import io.github.zklock.faults.cluster.Jvm;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process under load, and the proxy to its server, if there is one. {@link LoadMain} describes its commands. */
final class LoadProcess implements AutoCloseable {

    private static final long SECONDS_TO_END = 60;
    /** Longer than any measurement. */
    private static final long MINUTES_TO_ANSWER = 10;

    private final ChildProcess child;
    private final Optional<CountingProxy> proxy;
    private final Path log;
    private final BufferedWriter commands;
    private final BufferedReader answers;

    /** Starts the process, and waits until it is ready. */
    LoadProcess(String name, Jvm jvm, Optional<CountingProxy> proxy, Path log, List<String> words) throws IOException {
        List<String> command = Stream.concat(Stream.of(LoadMain.class.getName()), words.stream())
                .toList();
        this.child = ChildProcess.start(name, jvm, log, Redirect.PIPE, command);
        this.proxy = proxy;
        this.log = log;
        this.commands = child.process().outputWriter();
        this.answers = child.process().inputReader();
        try {
            answer();
        } catch (IOException | RuntimeException | Error e) {
            kill();
            throw e;
        }
    }

    ProcessHandle handle() {
        return child.process().toHandle();
    }

    /** Returns all traffic so far; nothing without a proxy. */
    Traffic traffic() {
        return proxy.map(CountingProxy::traffic).orElse(Traffic.NONE);
    }

    void prepare() throws IOException {
        send("prepare");
        answer();
    }

    /** Begins a round; {@link #figures} waits for its result. */
    void run(Duration time) throws IOException {
        send("run " + time.toMillis());
    }

    Figures figures() throws IOException {
        return Figures.parse(answer());
    }

    /** Leaves the servers without work. */
    void rest() throws IOException {
        send("rest");
        answer();
    }

    /** Lets the process release its locks and end. */
    @Override
    public void close() throws IOException, InterruptedException {
        try {
            commands.close();
            boolean ended = child.process().waitFor(SECONDS_TO_END, TimeUnit.SECONDS);
            if (!ended || child.process().exitValue() != 0) {
                throw failed(ended ? "has failed" : "does not end");
            }
        } finally {
            kill();
        }
    }

    void kill() {
        child.close();
        proxy.ifPresent(CountingProxy::close);
    }

    private void send(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
    }

    private String answer() throws IOException {
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                child::close, CompletableFuture.delayedExecutor(MINUTES_TO_ANSWER, TimeUnit.MINUTES));
        try {
            String answer = answers.readLine();
            if (answer == null) {
                throw failed("has ended, or has not answered for " + MINUTES_TO_ANSWER + " minutes");
            }
            return answer;
        } finally {
            end.cancel(false);
        }
    }

    private IOException failed(String how) {
        return new IOException("%s %s; %s may say why".formatted(child.name(), how, log));
    }
}
