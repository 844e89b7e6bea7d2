package io.github.zklock.event;

import io.github.zklock.LockEvent;
import io.github.zklock.LockRegistry;
import io.github.zklock.Registration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Publishes lost locks and long holds as events of the application context. It starts in the first phase and stops in
 * the last one, so that losses during shutdown are published too.
 */
final class LockEventPublisher implements SmartLifecycle {

    private final Map<String, LockRegistry> registries;
    private final ApplicationEventPublisher context;
    private final List<Registration> registrations = new CopyOnWriteArrayList<>();

    private volatile boolean running;

    LockEventPublisher(Map<String, LockRegistry> registries, ApplicationEventPublisher context) {
        this.registries = new LinkedHashMap<>(registries);
        this.context = context;
    }

    @Override
    public void start() {
        running = true;
        registries.forEach((name, registry) -> registrations.add(registry.addListener(event -> publish(name, event))));
    }

    @Override
    public void stop() {
        running = false;
        registrations.forEach(Registration::close);
        registrations.clear();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    private void publish(String registry, LockEvent event) {
        // the registry can deliver a queued event after stop()
        if (!running) {
            return;
        }
        if (event instanceof LockEvent.Lost lost) {
            context.publishEvent(new LockLostEvent(registry, lost.name(), lost.token(), lost.reason()));
        } else if (event instanceof LockEvent.HeldLong held) {
            context.publishEvent(
                    new LockHeldLongEvent(registry, held.name(), held.token(), held.held(), held.holder()));
        } else if (event instanceof LockEvent.Deadlocked deadlock) {
            context.publishEvent(
                    new LockDeadlockEvent(registry, deadlock.name(), deadlock.requests(), deadlock.rejected()));
        }
    }
}
