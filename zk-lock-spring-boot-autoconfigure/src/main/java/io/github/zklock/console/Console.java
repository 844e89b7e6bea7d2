package io.github.zklock.console;

import io.github.zklock.LockException;
import io.github.zklock.LockName;
import io.github.zklock.autoconfigure.actuate.ForcedRelease;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * Answers requests to the console, of whichever kind of web server. Blocks for up to the registry's connection timeout;
 * a forced release, which asks three questions, for up to three times as long.
 */
final class Console implements AutoCloseable {

    private static final String INDEX = "index.html";
    private static final int PAGE = 50;
    private static final int LARGEST_PAGE = 200;

    private final String path;
    private final Identity identity;
    private final AccessRule access;
    private final ReleaseRule releases;
    private final List<WatchedRegistry> registries;
    private final InstantSource clock;
    private final AutoCloseable readers;
    private final Assets assets = new Assets();

    Console(
            String path,
            Identity identity,
            AccessRule access,
            ReleaseRule releases,
            List<WatchedRegistry> registries,
            Readers readers,
            InstantSource clock) {
        this.path = path;
        this.identity = identity;
        this.access = access;
        this.releases = releases;
        this.registries = List.copyOf(registries);
        this.readers = readers;
        this.clock = clock;
    }

    /** Whom the page is about. */
    record Identity(String application, String instance) {}

    ConsoleAnswer answer(ConsoleRequest request) {
        Optional<String> refusal = access.refusal(request);
        if (refusal.isPresent()) {
            return ConsoleAnswer.problem(403, refusal.get());
        }
        try {
            return route(request);
        } catch (IllegalArgumentException notAQuestion) {
            return ConsoleAnswer.problem(400, String.valueOf(notAQuestion.getMessage()));
        } catch (LockException noAnswer) {
            return ConsoleAnswer.problem(503, String.valueOf(noAnswer.getMessage()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ConsoleAnswer.problem(503, "Interrupted while asking ZooKeeper");
        }
    }

    @Override
    public void close() throws Exception {
        registries.forEach(WatchedRegistry::close);
        readers.close();
    }

    private ConsoleAnswer route(ConsoleRequest request) throws InterruptedException {
        boolean release = request.path().equals("/api/release");
        if (release ? !request.method().equals("POST") : !request.reads()) {
            return ConsoleAnswer.notAllowed(release ? "POST" : "GET, HEAD");
        }
        return switch (request.path()) {
            case "" -> ConsoleAnswer.elsewhere(path.substring(path.lastIndexOf('/') + 1) + "/");
            case "/" -> asset(INDEX, request);
            case "/api/state" -> ConsoleAnswer.json(200, state(request));
            case "/api/locks" -> ConsoleAnswer.json(200, locks(request));
            case "/api/queue" -> ConsoleAnswer.json(200, queue(request));
            case "/api/release" -> release(request);
            default -> asset(request.path().substring(1), request);
        };
    }

    private StateReport state(ConsoleRequest request) {
        Optional<String> refusal = releases.refusal();
        // a token is made for those only who can use it: that may begin a session
        Csrf csrf = refusal.isPresent() ? null : request.csrf().get().orElse(null);
        return new StateReport(
                identity.application(),
                identity.instance(),
                clock.millis(),
                Shared.FRESH.toMillis(),
                new StateReport.Release(refusal.isEmpty(), refusal.orElse(null), csrf),
                registries.stream().map(WatchedRegistry::state).toList());
    }

    private LocksPage locks(ConsoleRequest request) throws InterruptedException {
        return registry(request.parameter("registry", ""))
                .locks(
                        request.parameter("search", ""),
                        request.parameter("under", ""),
                        request.number("offset", 0),
                        Math.min(LARGEST_PAGE, request.number("limit", PAGE)));
    }

    private QueueReport queue(ConsoleRequest request) throws InterruptedException {
        return registry(request.parameter("registry", ""))
                .queue(
                        LockName.of(request.parameter("name", "")),
                        Math.min(Queues.LONGEST, request.number("limit", Queues.LONGEST)));
    }

    private ConsoleAnswer release(ConsoleRequest request) throws InterruptedException {
        Optional<String> refusal = releases.refusal(request);
        if (refusal.isPresent()) {
            return ConsoleAnswer.problem(403, refusal.get());
        }
        if (!isJson(request)) {
            return ConsoleAnswer.problem(415, "The body is not of the type application/json");
        }
        if (request.body().isEmpty()) {
            return ConsoleAnswer.problem(413, "The body is longer than " + ConsoleRequest.LONGEST_BODY + " bytes");
        }
        Map<String, String> fields = TextFields.read(request.body().get());
        LockName lock = LockName.of(fields.getOrDefault("name", ""));
        if (!lock.value().equals(fields.get("confirm"))) {
            throw new IllegalArgumentException("Lock '" + lock
                    + "' is not released: 'confirm' is not its name, so it may be another that is meant");
        }
        ReleaseReport report = registry(fields.getOrDefault("registry", ""))
                .release(lock, seat(fields), ForcedRelease.asker(request.user()));
        return ConsoleAnswer.json(report.outcome().httpStatus(), report);
    }

    private static String seat(Map<String, String> fields) {
        String seat = fields.get("seat");
        if (seat == null) {
            throw new IllegalArgumentException("The body does not name the 'seat' that is to be released");
        }
        return seat;
    }

    private static boolean isJson(ConsoleRequest request) {
        try {
            MediaType type = request.headers().getContentType();
            return type != null && MediaType.APPLICATION_JSON.includes(type);
        } catch (InvalidMediaTypeException notAType) {
            return false;
        }
    }

    private WatchedRegistry registry(String name) {
        if (name.isEmpty() && registries.size() == 1) {
            return registries.get(0);
        }
        return registries.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no registry '" + name + "'; name one of "
                        + registries.stream().map(WatchedRegistry::name).toList()));
    }

    private ConsoleAnswer asset(String name, ConsoleRequest request) {
        return assets.answer(name, request.headers().getOrEmpty("If-None-Match"))
                .orElseGet(() -> ConsoleAnswer.problem(404, "There is nothing at this path of the console"));
    }
}
