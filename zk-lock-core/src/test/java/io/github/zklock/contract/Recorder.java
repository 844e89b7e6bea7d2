package io.github.zklock.contract;

import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Remembers what it was told. */
final class Recorder implements LockListener {

    final List<LockEvent> events = new CopyOnWriteArrayList<>();
    final List<Thread> threads = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(LockEvent event) {
        threads.add(Thread.currentThread());
        events.add(event);
    }

    <T extends LockEvent> T await(Class<T> type) {
        Contract.await().until(() -> all(type).findAny().isPresent());
        return all(type).findFirst().orElseThrow();
    }

    <T extends LockEvent> Stream<T> all(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast);
    }
}
