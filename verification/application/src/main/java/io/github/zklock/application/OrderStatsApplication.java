package io.github.zklock.application;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.core.task.AsyncTaskExecutor;

/** Computes its statistics a number of times at once, says how it went, and ends. */
@SpringBootApplication
public class OrderStatsApplication implements ApplicationRunner {

    private static final int CALLS = 50;

    private final OrderStats stats;
    private final AsyncTaskExecutor executor;

    OrderStatsApplication(OrderStats stats, AsyncTaskExecutor executor) {
        this.stats = stats;
        this.executor = executor;
    }

    public static void main(String[] args) {
        System.exit(SpringApplication.exit(SpringApplication.run(OrderStatsApplication.class, args)));
    }

    @Override
    public void run(ApplicationArguments arguments) throws ExecutionException, InterruptedException {
        List<Future<String>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(executor.submit(() -> stats.recompute() + " on a "
                    + (isVirtual(Thread.currentThread()) ? "virtual" : "platform") + " thread"));
        }
        TreeMap<String, Integer> results = new TreeMap<>();
        for (Future<String> call : calls) {
            results.merge(call.get(), 1, Integer::sum);
        }
        System.out.println("results: " + results);
    }

    /** Java 17 has no virtual threads, and no name for them. */
    private static boolean isVirtual(Thread thread) {
        return thread.toString().startsWith("VirtualThread");
    }
}
