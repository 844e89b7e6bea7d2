package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.Leadership;
import io.github.zklock.LockEvent;
import io.github.zklock.LockInspector;
import io.github.zklock.LockListener;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.Registration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The last quarter of an hour of the registries of this process, in steps of ten seconds. A step consists of sums over
 * all locks that this process requests, and needs no request to ZooKeeper.
 *
 * <p>Not guaranteed: each event. An event at the boundary of two steps can be missing, and so can events that arrive
 * faster than the listener handles them.
 */
final class LocksHistory implements SmartInitializingSingleton, AutoCloseable {

    static final Duration STEP = Duration.ofSeconds(10);

    /** The number of steps that are kept. */
    static final int STEPS = 90;

    private static final Logger LOG = LoggerFactory.getLogger(LocksHistory.class);

    private final Supplier<? extends Collection<Leadership>> leaderships;
    private final Map<String, Past> pasts = new LinkedHashMap<>();
    private final List<Registration> registrations = new ArrayList<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "zk-lock-history");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * @param leaderships the leaderships for which this process is a candidate. From the first step on, they count as held
     *     locks only, because a candidate waits as long as another process leads
     */
    LocksHistory(Map<String, LockRegistry> registries, Supplier<? extends Collection<Leadership>> leaderships) {
        this.leaderships = leaderships;
        registries.forEach((name, registry) -> {
            Past past = new Past(registry.inspector());
            pasts.put(name, past);
            registrations.add(registry.addListener(past));
        });
    }

    /** Begins to add a step every ten seconds. Not before, because a step asks for the beans of leaderships. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // close() ends the timer
    public void afterSingletonsInstantiated() {
        timer.scheduleAtFixedRate(this::step, STEP.toNanos(), STEP.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends the current step of each registry. */
    void step() {
        String now = Texts.of(Instant.now());
        Set<LockName> led = leaderships.get().stream().map(Leadership::name).collect(Collectors.toSet());
        pasts.forEach((name, past) -> {
            try {
                past.step(now, led);
            } catch (RuntimeException closed) {
                LOG.debug("Registry '{}' has no state to record", name, closed);
            }
        });
    }

    /** Returns the steps of a registry, the oldest first. */
    List<LocksReport.Step> of(String registry) {
        Past past = pasts.get(registry);
        return past == null ? List.of() : past.report();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        registrations.forEach(Registration::close);
    }

    /** The steps of one registry, and the events since the last one. */
    private static final class Past implements LockListener {

        private final LockInspector inspector;
        private final ReentrantLock lock = new ReentrantLock();
        private final Deque<LocksReport.Step> steps = new ArrayDeque<>();
        private volatile EventTotals current = new EventTotals();
        private volatile Set<LockName> led = Set.of();

        Past(LockInspector inspector) {
            this.inspector = inspector;
        }

        @Override
        public void onEvent(LockEvent event) {
            if (!led.contains(event.name())) {
                current.onEvent(event);
            }
        }

        void step(String now, Set<LockName> ledNow) {
            led = ledNow;
            int held = inspector.held().size();
            List<LockInspector.Awaited> awaited = inspector.awaited().stream()
                    .filter(each -> !ledNow.contains(each.name()))
                    .toList();
            Duration longestWait =
                    awaited.isEmpty() ? Duration.ZERO : awaited.get(0).waited();
            EventTotals ended = current;
            current = new EventTotals();
            lock.lock();
            try {
                if (steps.size() == STEPS) {
                    steps.removeFirst();
                }
                steps.addLast(new LocksReport.Step(now, ended.totals(), held, awaited.size(), Texts.of(longestWait)));
            } finally {
                lock.unlock();
            }
        }

        List<LocksReport.Step> report() {
            lock.lock();
            try {
                return List.copyOf(steps);
            } finally {
                lock.unlock();
            }
        }
    }
}
