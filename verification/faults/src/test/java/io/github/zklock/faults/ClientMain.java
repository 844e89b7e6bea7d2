package io.github.zklock.faults;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.faults.Event.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process that uses one lock and says on its output what it sees. It takes orders from its input, one a line, and
 * ends with it:
 *
 * <pre>
 * loop THREADS MILLIS WISH   each thread takes the lock, holds it for so long and gives it back, again and again
 * hold WISH                  takes the lock and holds it until "release"
 * release                    gives it back
 * acquire MILLIS             acquire(maxWait) of the exclusive lock, then gives it back
 * try MILLIS                 tryAcquire(maxWait) of the exclusive lock, then gives it back
 * </pre>
 *
 * @see Wish
 */
final class ClientMain {

    private static final String LOCK = "lock";
    private static final Wish EXCLUSIVE = Wish.parse("exclusive");

    private final String name;
    private final LockRegistry registry;
    private final AtomicLong holds = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    private volatile CountDownLatch release = new CountDownLatch(1);

    private ClientMain(String name, LockRegistry registry) {
        this.name = name;
        this.registry = registry;
    }

    /**
     * Runs until the end of its input.
     *
     * @param args name, connect string, base path, session timeout in milliseconds
     */
    public static void main(String[] args) throws Exception {
        Duration timeout = Duration.ofMillis(Long.parseLong(args[3]));
        LockRegistry registry = EngineFactory.chosen().open(args[1], args[2], timeout, args[0]);
        ClientMain client = new ClientMain(args[0], registry);
        registry.lock("first").acquire().close();
        client.say(Kind.READY, "session", registry.inspector().session().id());
        client.takeOrders();
        ((AutoCloseable) registry).close();
        client.say(Kind.ENDED);
        System.exit(0);
    }

    private void takeOrders() throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] order = line.split(" ", -1);
            switch (order[0]) {
                case "loop" -> {
                    Duration time = Duration.ofMillis(Long.parseLong(order[2]));
                    Wish wish = Wish.parse(order[3]);
                    for (int i = 0; i < Integer.parseInt(order[1]); i++) {
                        start(() -> {
                            while (ended.getCount() > 0) {
                                keep(wish, wish.acquire(registry, LOCK), ended, time);
                            }
                        });
                    }
                }
                case "hold" -> {
                    Wish wish = Wish.parse(order[1]);
                    start(() -> holdUntilReleased(wish));
                }
                case "release" -> release.countDown();
                case "acquire" -> {
                    Duration wait = Duration.ofMillis(Long.parseLong(order[1]));
                    start(() ->
                            ask("acquire", () -> Optional.of(registry.lock(LOCK).acquire(wait))));
                }
                case "try" -> {
                    Duration wait = Duration.ofMillis(Long.parseLong(order[1]));
                    start(() -> ask("try", () -> registry.lock(LOCK).tryAcquire(wait)));
                }
                default -> throw new IllegalArgumentException("Unknown order " + line);
            }
        }
        ended.countDown();
        release.countDown();
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void holdUntilReleased(Wish wish) throws InterruptedException {
        release = new CountDownLatch(1);
        keep(wish, wish.acquire(registry, LOCK), release, Duration.ofDays(1));
    }

    private void ask(String how, Asking asking) throws InterruptedException {
        say(Kind.ASKED, "how", how);
        try {
            Optional<LockHandle> answer = asking.ask();
            if (answer.isPresent()) {
                keep(EXCLUSIVE, answer.get(), ended, Duration.ZERO);
            } else {
                say(Kind.EMPTY, "how", how);
            }
        } catch (LockTimeoutException e) {
            say(Kind.TIMEOUT, "how", how, "message", e.getMessage());
        } catch (LockUnavailableException e) {
            say(Kind.UNAVAILABLE, "how", how, "message", e.getMessage());
        }
    }

    private void keep(Wish wish, LockHandle handle, CountDownLatch end, Duration time) throws InterruptedException {
        new Holding(name, holds.incrementAndGet(), wish, handle)
                .begin(registry.inspector().session().id())
                .until(end, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                // the end of this process
            } catch (RuntimeException | Error unexpected) {
                say(Kind.FAILED, "message", unexpected);
            }
        });
        threads.add(thread);
        thread.start();
    }

    private void say(Kind kind, Object... keysAndValues) {
        System.out.println(Event.of(name, System.nanoTime(), kind, keysAndValues));
    }

    @FunctionalInterface
    private interface Asking {
        Optional<LockHandle> ask() throws InterruptedException;
    }

    @FunctionalInterface
    private interface Work {
        void run() throws InterruptedException;
    }
}
