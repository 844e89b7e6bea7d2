package io.github.zklock.aop.internal.call;

import static io.github.zklock.aop.internal.call.CallServices.TASK_EXECUTOR;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.CompositeTaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Threads for application code that must not run on threads of the registry: methods whose lock is granted after their
 * call has returned, and reactions to a loss. The executor is the bean {@link CallServices#TASK_EXECUTOR}. Without that
 * bean, there are at most {@link #DEFAULT_LIMIT} threads, one for each method.
 */
final class CallThreads {

    private static final int DEFAULT_LIMIT = 256;

    private static final Logger LOG = LoggerFactory.getLogger(CallThreads.class);

    private static final boolean CONTEXT_PROPAGATION =
            ClassUtils.isPresent("io.micrometer.context.ContextSnapshot", CallThreads.class.getClassLoader());

    private final Supplier<Executor> executor;
    private final Supplier<TaskDecorator> decorator;

    CallThreads(ConfigurableListableBeanFactory beans) {
        this.executor = SingletonSupplier.of(
                () -> beans.containsBean(TASK_EXECUTOR) ? beans.getBean(TASK_EXECUTOR, Executor.class) : threads());
        this.decorator = SingletonSupplier.of(() -> decorator(
                beans.getBeanProvider(TaskDecorator.class).orderedStream().toList()));
    }

    private static Executor threads() {
        SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("zk-lock-call-");
        threads.setDaemon(true);
        threads.setConcurrencyLimit(DEFAULT_LIMIT);
        threads.setRejectTasksWhenLimitReached(true);
        return threads;
    }

    /**
     * Combines the decorators. A later decorator wraps an earlier one, so that values restored by the application
     * replace those restored by this class.
     */
    private static TaskDecorator decorator(List<TaskDecorator> ofApplication) {
        List<TaskDecorator> all = new ArrayList<>(ofApplication);
        if (all.isEmpty() && CONTEXT_PROPAGATION) {
            all.add(new ContextPropagatingTaskDecorator());
        }
        all.add(CallerContext.DECORATOR);
        return new CompositeTaskDecorator(all);
    }

    /**
     * Captures the context of the current thread for a task that runs later. If a decorator of the application fails,
     * this method fails too.
     */
    Task prepare(Runnable work) {
        // looked up here: on a thread of the registry, the lookup of a lazy bean could block on a caller of that
        // registry
        return new Task(work, executor.get());
    }

    /**
     * Runs a reaction to a loss. If all threads are in use, it runs on the current thread of the registry, because a
     * method without its lock must be stopped at once.
     */
    void executeAfterLoss(Runnable reaction) {
        try {
            executor.get().execute(reaction);
        } catch (RejectedExecutionException busy) {
            reaction.run();
        }
    }

    /** Work with the context of the thread that prepared it. It runs at most once. */
    final class Task {

        private final AtomicBoolean begun = new AtomicBoolean();
        private final Runnable decorated;
        private final Executor runner;

        private Task(Runnable work, Executor runner) {
            this.runner = runner;
            this.decorated = decorator.get().decorate(() -> {
                if (begun.compareAndSet(false, true)) {
                    work.run();
                }
            });
        }

        /**
         * Runs the work on the executor.
         *
         * @param notRun receives the reason if the work does not run: the executor rejects it, or a decorator fails or
         *     does not run it
         */
        void execute(Consumer<Throwable> notRun) {
            try {
                runner.execute(() -> run(notRun));
            } catch (Throwable rejected) {
                fail(notRun, rejected);
            }
        }

        private void run(Consumer<Throwable> notRun) {
            try {
                decorated.run();
            } catch (Throwable broken) {
                if (!fail(notRun, broken)) {
                    LOG.warn("A TaskDecorator failed after the method had run; the call is not affected", broken);
                }
            }
            fail(notRun, new IllegalStateException("A TaskDecorator did not run the task that it had decorated"));
        }

        private boolean fail(Consumer<Throwable> notRun, Throwable reason) {
            boolean failed = begun.compareAndSet(false, true);
            if (failed) {
                notRun.accept(reason);
            }
            return failed;
        }
    }
}
