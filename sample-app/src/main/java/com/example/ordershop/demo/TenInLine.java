package com.example.ordershop.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Shows the queue: who came first is served first, one at a time. */
final class TenInLine implements Act {

    private static final int CLIENTS = 10;

    /**
     * A grant, as the client says.
     *
     * @param holders how many held the lock then
     * @param queue sessions and all, holder first
     */
    private record Grant(String client, long token, int holders, List<String> queue) {

        static Grant parse(String line) {
            List<String> words = words(line);
            return new Grant(
                    words.get(1),
                    Long.parseLong(words.get(2)),
                    Integer.parseInt(words.get(3)),
                    words.subList(4, words.size()));
        }
    }

    @Override
    public Verdict play(Stage stage, Load load, int runs) throws InterruptedException {
        List<String> output = Collections.synchronizedList(new ArrayList<>());
        ChildJvm jvm = ChildJvm.start(
                "ten-clients",
                stage.folder(),
                List.of("-Xmx96m", "-Dlogback.configurationFile=" + Demo.LOGGING),
                List.of(
                        Leash.class.getName(),
                        TenClients.class.getName(),
                        stage.servers().zookeeper(),
                        Stage.BASE_PATH,
                        "/ten-in-line/" + UUID.randomUUID(),
                        String.valueOf(CLIENTS)),
                Map.of(),
                line -> {
                    output.add(line);
                    show(line, stage.audience());
                });
        try (jvm) {
            jvm.awaitEnd();
            return verdict(List.copyOf(output), jvm);
        }
    }

    private static void show(String line, Audience audience) {
        if (line.startsWith(TenClients.LINE)) {
            audience.line("all are in line: " + names(words(line).subList(1, CLIENTS + 1)));
        } else if (line.startsWith(TenClients.SERVED)) {
            Grant grant = Grant.parse(line);
            audience.line("%s holds the lock with token %d; in line: %s"
                    .formatted(
                            grant.client(),
                            grant.token(),
                            names(grant.queue().subList(1, grant.queue().size()))));
        }
    }

    private static Verdict verdict(List<String> output, ChildJvm jvm) {
        List<String> line = output.stream()
                .filter(each -> each.startsWith(TenClients.LINE))
                .findFirst()
                .map(each -> words(each).subList(1, words(each).size()))
                .orElseThrow(() -> new StageException(
                        "The clients never stood in line. Last words of " + jvm + ":\n" + jvm.lastWords()));
        List<Grant> grants = output.stream()
                .filter(each -> each.startsWith(TenClients.SERVED))
                .map(Grant::parse)
                .toList();
        long sessions = line.stream()
                .map(each -> each.substring(each.indexOf('@')))
                .distinct()
                .count();
        boolean inOrder = grants.stream()
                .map(Grant::client)
                .toList()
                .equals(line.stream().map(TenInLine::name).toList());
        int most = grants.stream().mapToInt(Grant::holders).max().orElse(0);
        return new Verdict(
                Scenario.QUEUE.label(),
                sessions == CLIENTS
                        && grants.size() == CLIENTS
                        && inOrder
                        && most == 1
                        && moved(line, grants)
                        && rising(grants),
                "%d clients with %d sessions, each served once: %d grants, %s the order of the queue, at most %d at a time, tokens %s"
                        .formatted(
                                line.size(),
                                sessions,
                                grants.size(),
                                inOrder ? "in" : "NOT IN",
                                most,
                                rising(grants) ? "rising" : "NOT RISING"));
    }

    /** Whether each grant saw the queue without those before it. */
    private static boolean moved(List<String> line, List<Grant> grants) {
        for (int i = 0; i < grants.size(); i++) {
            if (!grants.get(i).queue().equals(line.subList(i, line.size()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean rising(List<Grant> grants) {
        for (int i = 1; i < grants.size(); i++) {
            if (grants.get(i).token() <= grants.get(i - 1).token()) {
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
                ? "nobody"
                : String.join(" ", seats.stream().map(TenInLine::name).toList());
    }
}
