package io.github.zklock.zookeeper.internal.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A session that notes what it is sent, and answers when and what the test says. */
final class RecordedSession implements WireSession {

    private record Pending(String request, BiConsumer<Outcome, @Nullable Object> reply) {}

    private final List<Pending> unanswered = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();

    /** What was sent since the last call. */
    List<String> sent() {
        List<String> all = List.copyOf(sent);
        sent.clear();
        return all;
    }

    /** Answers the oldest request that contains this text. */
    void answer(String part, Outcome outcome, @Nullable Object value) {
        Pending first = unanswered.stream()
                .filter(pending -> pending.request().contains(part))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No request with '" + part + "' among " + unanswered));
        unanswered.remove(first);
        first.reply().accept(outcome, value);
    }

    /** Answers the oldest request that contains this text, a transaction that creates these seats. */
    void created(String part, String... paths) {
        answer(
                part,
                Outcome.OK,
                Transacted.created(Stream.of(paths).map(RecordedSession::seat).toList()));
    }

    /** Answers all single creates that were sent, and those that are sent on account of that. */
    void answerAll() {
        while (!unanswered.isEmpty()) {
            created("CreateSeat", "/any");
        }
    }

    private static Node seat(String path) {
        return new Node(path, 7, 1, new byte[0], 0);
    }

    @SuppressWarnings("unchecked")
    private <T> void note(String request, Reply<T> reply) {
        sent.add(request);
        unanswered.add(new Pending(request, (outcome, value) -> reply.answered(outcome, (T) value)));
    }

    private static String text(Change change) {
        String name = change.getClass().getSimpleName();
        return name + " " + change.path();
    }

    @Override
    public void transact(List<Change> changes, Reply<Transacted> reply) {
        note(String.join(", ", changes.stream().map(RecordedSession::text).toList()), reply);
    }

    @Override
    public void listAll(List<String> folders, Reply<List<Listing>> reply) {
        note("listAll " + folders, reply);
    }

    @Override
    public void exist(List<String> paths, Reply<List<Boolean>> reply) {
        note("exist " + paths, reply);
    }

    @Override
    public void makeFolder(String path, Reply<Void> reply) {
        note("makeFolder " + path, reply);
    }

    @Override
    public void list(String folder, Reply<List<String>> reply) {
        note("list " + folder, reply);
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        note("read " + path, reply);
    }

    @Override
    public void readWatching(String path, Watch watch, Reply<Node> reply) {
        note("readWatching " + path, reply);
    }

    @Override
    public void unwatch(String path, Watch watch) {
        sent.add("unwatch " + path);
    }

    @Override
    public void watchTree(String folder, TreeWatch watch, Reply<Void> reply) {
        note("watchTree " + folder, reply);
    }

    @Override
    public void unwatchTree(String folder, TreeWatch watch) {
        sent.add("unwatchTree " + folder);
    }

    @Override
    public void ephemerals(String folder, Reply<List<String>> reply) {
        note("ephemerals " + folder, reply);
    }

    @Override
    public void sync(String path, Reply<Void> reply) {
        note("sync " + path, reply);
    }

    @Override
    public long id() {
        return 0xabc;
    }

    @Override
    public long currentId() {
        return id();
    }

    @Override
    public long timeoutNanos() {
        return 20_000_000_000L;
    }

    @Override
    public long connectionNumber() {
        return 1;
    }

    @Override
    public OptionalLong attemptedAfterNanos() {
        return OptionalLong.empty();
    }

    @Override
    public OptionalLong wallLeadAtAttemptNanos() {
        return OptionalLong.empty();
    }

    @Override
    public boolean isFresh() {
        return true;
    }

    @Override
    public Liveness liveness() {
        return Liveness.CONNECTED;
    }
}
