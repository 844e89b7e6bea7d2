package io.github.zklock.leadership;

import io.github.zklock.FencingToken;
import io.github.zklock.Leadership;
import io.github.zklock.LockName;
import io.github.zklock.event.LeadershipStartedEvent;
import io.github.zklock.event.LeadershipStoppedEvent;
import io.github.zklock.support.UntilContextCloses;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Starts all leaderships of the context in the last phase, and closes them in the first phase of its end, so that their
 * tasks end before the beans that they use.
 * If the context is only stopped, it keeps its leaderships.
 */
final class LeadershipLifecycle extends UntilContextCloses {

    /** Longer than a close takes. */
    private static final Duration LONG = Duration.ofDays(1);

    private final ConfigurableApplicationContext context;
    private final List<Leadership> started = new CopyOnWriteArrayList<>();

    LeadershipLifecycle(ConfigurableApplicationContext context) {
        super(context);
        this.context = context;
    }

    @Override
    public void start() {
        super.start();
        // not those of a parent, which starts its own; and singletons only, as in Leaderships
        for (Leadership leadership :
                context.getBeansOfType(Leadership.class, false, true).values()) {
            // a leadership that has started continues while the context is stopped, unless it was closed
            if (!started.contains(leadership)) {
                leadership.addListener(new Publisher(context));
                started.add(leadership);
                leadership.start();
            }
        }
    }

    @Override
    protected void end() {
        // before the first wait, all tasks are interrupted and all candidates leave: no other term begins
        started.forEach(leadership -> leadership.stepDown(LONG));
        List<Thread> closing = started.stream()
                .map(leadership -> new Thread(leadership::close, "zk-lock-leadership-close"))
                .toList();
        closing.forEach(Thread::start);
        try {
            for (Thread each : closing) {
                each.join();
            }
        } catch (InterruptedException stopped) {
            // the threads continue
            Thread.currentThread().interrupt();
        }
    }

    private record Publisher(ApplicationEventPublisher context) implements Leadership.Listener {

        @Override
        public void started(LockName name, FencingToken token) {
            context.publishEvent(new LeadershipStartedEvent(name, token));
        }

        @Override
        public void stopped(LockName name, FencingToken token, String reason) {
            context.publishEvent(new LeadershipStoppedEvent(name, token, reason));
        }
    }
}
