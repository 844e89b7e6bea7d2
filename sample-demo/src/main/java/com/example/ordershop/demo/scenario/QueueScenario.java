package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ChildJvm;
import com.example.ordershop.demo.process.ProgressListener;
import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.ShopCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** Shows that waiters acquire the lock in queue order, one at a time. */
final class QueueScenario {

    private static final int CLIENTS = 10;

    /**
     * One acquisition, as the client reported it.
     *
     * @param holders number of holders at that moment
     * @param queue clients with their sessions, holder first
     */
    private record Acquisition(String client, long token, int holders, List<String> queue) {

        static Acquisition parse(String line) {
            List<String> words = words(line);
            return new Acquisition(
                    words.get(1),
                    Long.parseLong(words.get(2)),
                    Integer.parseInt(words.get(3)),
                    words.subList(4, words.size()));
        }
    }

    private QueueScenario() {}

    static Verdict run(ShopCluster cluster) throws InterruptedException {
        List<String> output = Collections.synchronizedList(new ArrayList<>());
        ChildJvm jvm = cluster.start(
                "queue-clients",
                QueueClients.class,
                List.of(
                        cluster.servers().zookeeper(),
                        ShopCluster.BASE_PATH,
                        "/queue/" + UUID.randomUUID(),
                        String.valueOf(CLIENTS)),
                line -> {
                    output.add(line);
                    show(line, cluster.listener());
                });
        try (jvm) {
            jvm.awaitEnd();
            return verdict(List.copyOf(output), jvm);
        }
    }

    private static void show(String line, ProgressListener listener) {
        if (line.startsWith(QueueClients.QUEUE)) {
            listener.line("all clients are in the queue: " + names(words(line).subList(1, CLIENTS + 1)));
        } else if (line.startsWith(QueueClients.SERVED)) {
            Acquisition acquisition = Acquisition.parse(line);
            listener.line("%s holds the lock with token %d; waiting: %s"
                    .formatted(
                            acquisition.client(),
                            acquisition.token(),
                            names(acquisition
                                    .queue()
                                    .subList(1, acquisition.queue().size()))));
        }
    }

    private static Verdict verdict(List<String> output, ChildJvm jvm) {
        List<String> line = output.stream()
                .filter(each -> each.startsWith(QueueClients.QUEUE))
                .findFirst()
                .map(each -> words(each).subList(1, words(each).size()))
                .orElseThrow(() -> new ScenarioException(
                        "The clients did not all join the queue. Last output of " + jvm + ":\n" + jvm.lastOutput()));
        List<Acquisition> acquisitions = output.stream()
                .filter(each -> each.startsWith(QueueClients.SERVED))
                .map(Acquisition::parse)
                .toList();
        long sessions = line.stream()
                .map(each -> each.substring(each.indexOf('@')))
                .distinct()
                .count();
        boolean inOrder = acquisitions.stream()
                .map(Acquisition::client)
                .toList()
                .equals(line.stream().map(QueueScenario::name).toList());
        int most = acquisitions.stream().mapToInt(Acquisition::holders).max().orElse(0);
        return new Verdict(
                Scenario.QUEUE.label(),
                sessions == CLIENTS
                        && acquisitions.size() == CLIENTS
                        && inOrder
                        && most == 1
                        && moved(line, acquisitions)
                        && rising(acquisitions),
                "%d clients with %d sessions, each served once: %d acquisitions, %s the order of the queue, at most %d at a time, tokens %s"
                        .formatted(
                                line.size(),
                                sessions,
                                acquisitions.size(),
                                inOrder ? "in" : "NOT IN",
                                most,
                                rising(acquisitions) ? "rising" : "NOT RISING"));
    }

    /** Returns whether each client saw the queue without the clients that were served before. */
    private static boolean moved(List<String> line, List<Acquisition> acquisitions) {
        for (int i = 0; i < acquisitions.size(); i++) {
            if (!acquisitions.get(i).queue().equals(line.subList(i, line.size()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean rising(List<Acquisition> acquisitions) {
        for (int i = 1; i < acquisitions.size(); i++) {
            if (acquisitions.get(i).token() <= acquisitions.get(i - 1).token()) {
                return false;
            }
        }
        return true;
    }

    private static List<String> words(String line) {
        return Arrays.asList(line.split(" ", -1));
    }

    private static String name(String seat) {
        return seat.substring(0, seat.indexOf('@'));
    }

    private static String names(List<String> seats) {
        return seats.isEmpty()
                ? "none"
                : String.join(" ", seats.stream().map(QueueScenario::name).toList());
    }
}
