package io.github.zklock.zookeeper.internal.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.deadlock.DeadlockSearch.Link;
import io.github.zklock.zookeeper.internal.deadlock.DeadlockSearch.Published;
import io.github.zklock.zookeeper.internal.deadlock.WaitReport.Hold;
import io.github.zklock.zookeeper.internal.deadlock.WaitReport.Wait;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatIds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Processes whose threads hold a lock and request another one, in random orders. They publish and search at random
 * instants, and the world goes on between any two answers that a search gets. A circle that is confirmed must have
 * existed at one instant, and a circle that lasts must be confirmed.
 */
class DeadlockModelTest {

    private static final int PROCESSES = 3;
    private static final int THREADS = 2;
    private static final int LOCKS = 4;
    private static final int STEPS = 400;
    private static final int SCHEDULES = 60;

    @Test
    void eachConfirmedCircleHasExistedAndEachLastingCircleIsConfirmed() throws InterruptedException {
        int deadlocks = 0;
        for (int seed = 0; seed < SCHEDULES; seed++) {
            World world = new World(seed, () -> new Suspects()::confirm);
            world.run();
            assertThat(world.invented)
                    .as("seed %s: circles that never existed", seed)
                    .isEmpty();
            deadlocks += world.settle();
            assertThat(world.missed())
                    .as("seed %s: circles that were not found", seed)
                    .isEmpty();
        }
        assertThat(deadlocks).as("the schedules have deadlocks").isGreaterThan(SCHEDULES / 10);
    }

    /** Shows that the first check can fail: a single search invents circles. */
    @Test
    void oneSearchAloneInventsCircles() throws InterruptedException {
        int invented = 0;
        for (int seed = 0; seed < SCHEDULES; seed++) {
            // each search counts as if it were the third one
            World world = new World(seed, UnaryOperator::identity);
            world.run();
            invented += world.invented.size();
        }
        assertThat(invented).isPositive();
    }

    /** A circle by the ids of its waits and the tokens for which they wait. */
    private static Set<String> keyOf(List<Link> circle) {
        Set<String> key = new HashSet<>();
        circle.forEach(link -> key.add(
                link.registry() + " " + link.waiting().id() + " " + link.hold().token()));
        return key;
    }

    private static final class Seat {
        private final Worker owner;
        private final String id;
        private final int number;
        private long token;

        Seat(Worker owner, String id, int number) {
            this.owner = owner;
            this.id = id;
            this.number = number;
        }
    }

    private static final class Worker {
        private final int process;
        private final List<Integer> held = new ArrayList<>();
        private int wanted = -1;
        private long waitId;
        /** Whether this request never gives up. */
        private boolean patient;

        Worker(int process) {
            this.process = process;
        }
    }

    private static final class World {

        private final Random random;
        private final List<UnaryOperator<List<List<Link>>>> confirming = new ArrayList<>();
        private final List<Worker> workers = new ArrayList<>();
        private final List<List<Seat>> queues = new ArrayList<>();
        private final Map<String, Published> published = new HashMap<>();
        private final Set<Set<String>> existed = new HashSet<>();
        private final Set<Set<String>> confirmed = new HashSet<>();
        private final Set<Set<String>> invented = new HashSet<>();
        private int ids;
        private boolean searching;
        private boolean frozen;

        /** @param rule creates the rule by which a process confirms what its searches find */
        World(long seed, Supplier<UnaryOperator<List<List<Link>>>> rule) {
            random = new Random(seed);
            for (int i = 0; i < LOCKS; i++) {
                queues.add(new ArrayList<>());
            }
            for (int process = 0; process < PROCESSES; process++) {
                confirming.add(rule.get());
                for (int i = 0; i < THREADS; i++) {
                    workers.add(new Worker(process));
                }
            }
        }

        void run() throws InterruptedException {
            for (int i = 0; i < STEPS; i++) {
                step();
            }
        }

        private void step() throws InterruptedException {
            int choice = random.nextInt(10);
            if (choice == 0) {
                publish(random.nextInt(PROCESSES));
            } else if (choice == 1 && !searching) {
                round(random.nextInt(PROCESSES));
            } else if (!frozen) {
                act(workers.get(random.nextInt(workers.size())));
            }
            circles().forEach(existed::add);
        }

        /** As a process does in each round: it publishes, and then it searches. */
        private void round(int process) throws InterruptedException {
            publish(process);
            searching = true;
            List<List<Link>> found = new DeadlockSearch(new Answers()).circlesOf(registry(process));
            searching = false;
            for (List<Link> circle : confirming.get(process).apply(found)) {
                Set<String> key = keyOf(circle);
                confirmed.add(key);
                if (!existed.contains(key)) {
                    invented.add(key);
                }
            }
        }

        private void act(Worker worker) {
            if (worker.wanted >= 0) {
                // a wait may end at its deadline
                if (!worker.patient && random.nextInt(12) == 0) {
                    queues.get(worker.wanted).removeIf(seat -> seat.owner == worker && seat.token == 0);
                    worker.wanted = -1;
                    grant();
                }
                return;
            }
            boolean more = worker.held.isEmpty() || (worker.held.size() < 3 && random.nextInt(3) > 0);
            if (more) {
                int lock = random.nextInt(LOCKS);
                if (!worker.held.contains(lock)) {
                    request(worker, lock);
                }
            } else {
                int lock = worker.held.remove(worker.held.size() - 1);
                queues.get(lock).removeIf(seat -> seat.owner == worker);
                grant();
            }
        }

        private void request(Worker worker, int lock) {
            worker.wanted = lock;
            worker.waitId = ++ids;
            worker.patient = random.nextInt(3) == 0;
            String id = prefix(worker.process) + "-8888-%012d".formatted(ids);
            queues.get(lock).add(new Seat(worker, id, ids));
            grant();
        }

        private void grant() {
            for (int lock = 0; lock < LOCKS; lock++) {
                List<Seat> queue = queues.get(lock);
                if (!queue.isEmpty() && queue.get(0).token == 0) {
                    Seat first = queue.get(0);
                    first.token = ++ids;
                    first.owner.held.add(lock);
                    first.owner.wanted = -1;
                }
            }
        }

        private void publish(int process) {
            List<Wait> waits = new ArrayList<>();
            for (Worker worker : workers) {
                if (worker.process == process && worker.wanted >= 0 && !worker.held.isEmpty()) {
                    List<Hold> holds = worker.held.stream()
                            .map(lock -> queues.get(lock).get(0))
                            .map(seat -> new Hold(seat.id, seat.token))
                            .toList();
                    waits.add(new Wait(worker.waitId, name(worker.wanted), LockKind.EXCLUSIVE, 1, 1, "t", 0, holds));
                }
            }
            Published before = published.get(registry(process));
            published.put(
                    registry(process),
                    new Published(
                            new WaitReport("p" + process, false, waits), before == null ? 0 : before.version() + 1));
        }

        /** The circles that exist now. Each waiting worker waits for exactly one other. */
        private Set<Set<String>> circles() {
            Set<Set<String>> circles = new HashSet<>();
            for (Worker start : workers) {
                Set<String> key = new HashSet<>();
                Worker worker = start;
                for (int i = 0; i <= workers.size() && worker.wanted >= 0; i++) {
                    Seat blocker = queues.get(worker.wanted).get(0);
                    worker = blocker.owner;
                    key.add(registry(worker.process) + " " + worker.waitId + " " + blocker.token);
                    if (worker == start && start.wanted >= 0) {
                        circles.add(key);
                        break;
                    }
                }
            }
            return circles;
        }

        /** Lets the processes search while nothing else happens. Returns the number of circles. */
        int settle() throws InterruptedException {
            frozen = true;
            for (int i = 0; i < 6; i++) {
                for (int process = 0; process < PROCESSES; process++) {
                    round(process);
                }
            }
            return circles().size();
        }

        Set<Set<String>> missed() {
            Set<Set<String>> missed = circles();
            missed.removeAll(confirmed);
            return missed;
        }

        private static String prefix(int process) {
            return "%08d-0000-4000".formatted(process);
        }

        private static String registry(int process) {
            return SeatIds.registryOf(prefix(process) + "-8888-000000000000");
        }

        private static LockName name(int lock) {
            return LockName.of("/lock-" + lock);
        }

        /** The answers of the servers, before each of which the world goes on. */
        private final class Answers implements DeadlockSearch.Source {

            @Override
            public QueueView queue(LockName lock) throws InterruptedException {
                goOn();
                int number = Integer.parseInt(lock.value().substring("/lock-".length()));
                return QueueView.of(queues.get(number).stream()
                        .map(seat -> "_c_%s-lock-%010d".formatted(seat.id, seat.number))
                        .toList());
            }

            @Override
            public Optional<Published> published(String registry) throws InterruptedException {
                goOn();
                return Optional.ofNullable(published.get(registry));
            }

            private void goOn() throws InterruptedException {
                for (int i = random.nextInt(6); i > 0; i--) {
                    step();
                }
            }
        }
    }
}
