package io.github.zklock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A hold of one lock whose fate is in the hands of the test. */
public final class FakeHandle implements LockHandle {

    private final LockName name;
    private final FencingToken token;
    private final List<String> log;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private LockKind kind = LockKind.EXCLUSIVE;
    private LockState state = LockState.HELD;
    private Duration remaining = Duration.ofSeconds(1);
    private Runnable onClose = () -> {};
    private @Nullable Duration limit;

    public FakeHandle(LockName name, List<String> log) {
        this(name, new FencingToken(1), log);
    }

    public FakeHandle(LockName name, FencingToken token, List<String> log) {
        this.name = name;
        this.token = token;
        this.log = log;
    }

    public void become(LockState next) {
        state = next;
        if (next.isFinal()) {
            ended.complete(null);
        }
    }

    public void kind(LockKind granted) {
        kind = granted;
    }

    public void remaining(Duration left) {
        remaining = left;
    }

    /** What {@link #loseAfter} was told last; null if nothing. */
    public @Nullable Duration limit() {
        return limit;
    }

    /** What else happens, or goes wrong, when it is closed. */
    public void onClose(Runnable action) {
        onClose = action;
    }

    @Override
    public LockName name() {
        return name;
    }

    @Override
    public FencingToken fencingToken() {
        return token;
    }

    @Override
    public LockKind kind() {
        return kind;
    }

    @Override
    public LockState state() {
        return state;
    }

    @Override
    public boolean isHeld() {
        return state == LockState.HELD;
    }

    @Override
    public Duration remaining() {
        return isHeld() ? remaining : Duration.ZERO;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            throw new LockLostException(name, "Lock '" + name + "' is " + state);
        }
    }

    @Override
    public Registration onLost(Runnable action) {
        return () -> {};
    }

    @Override
    public void loseAfter(Duration time) {
        limit = time;
    }

    @Override
    public void close() {
        log.add("close " + name);
        onClose.run();
        if (state == LockState.LOST) {
            throw new LockLostException(name, "Lock '" + name + "' was lost");
        }
        become(LockState.RELEASED);
    }

    @Override
    public CompletionStage<Void> released() {
        return ended;
    }
}
