package io.github.zklock.annotation;

import io.github.zklock.OncePer;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method at most once per window in the whole cluster, also after restarts. A call is {@linkplain OnBusy#SKIP
 * skipped} if another run counts in the window, or is under way.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 * * * *")
 * @RunOncePer(window = "1h", name = "/jobs/closing")
 * public void close() { ... }
 * }</pre>
 *
 * <p>The begin of each run is recorded in ZooKeeper, and all times are those of its servers: see {@link
 * io.github.zklock.OncePer}. The run holds the exclusive lock of the name, as a method with {@link DistributedLock} does.
 * The rules of that annotation for names, results, transactions, fencing tokens and self-invocation apply here, too. The
 * call does not wait for the lock, nor for the end of the window. A method has either one annotation of this type or
 * annotations of the other one.
 *
 * <p>Not guaranteed: that the work of a recorded run is done. If the process ends during a run, the run counts, unless
 * {@link #counting} is {@link OncePer.Counting#SUCCEEDED}.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@DistributedLock(waitTime = "0")
public @interface RunOncePer {

    /** The name of the job and of its lock: see {@link DistributedLock#name}. */
    @AliasFor(annotation = DistributedLock.class, attribute = "name")
    String name() default "";

    /**
     * The length of the window, such as {@code 30s}, {@code 1h}, {@code 1d} or {@code P7D}. Use the same window for a name
     * in all processes. May contain <code>${...}</code>.
     */
    String window();

    /**
     * The time by which a run may be early, such as {@code 5s}, if the timer fires once per window; {@code 0} for none. Runs
     * begin at least the window minus the tolerance apart. The default is a hundredth of the window, at most a minute. A
     * timer that is faster than the window gains nothing by it: see {@link io.github.zklock.OncePer}. May contain
     * <code>${...}</code>.
     */
    String tolerance() default "";

    /**
     * The time zone in which the windows are aligned, such as {@code UTC} or {@code Europe/Berlin}: an hour begins at the
     * full hour, a day at midnight. By default, a window begins with the last run. May contain <code>${...}</code>.
     */
    String alignedIn() default "";

    /**
     * The runs that count. A run succeeds if the method, or the result that it returned, completes without an exception. If
     * the call takes part in a transaction of its caller, that transaction must commit, too. A transaction of the method
     * itself that is only marked for rollback counts as a success, because the method returns without an exception.
     */
    OncePer.Counting counting() default OncePer.Counting.BEGUN;

    /**
     * What the call does if another run counts or is under way. With {@link OnBusy#THROW}, it throws a {@link
     * io.github.zklock.JobNotDueException} if another run counts, and a {@link io.github.zklock.LockTimeoutException} if
     * another one is under way.
     */
    @AliasFor(annotation = DistributedLock.class)
    OnBusy onBusy() default OnBusy.SKIP;

    /**
     * The method that {@link OnBusy#FALLBACK} calls: see {@link DistributedLock#fallback}. The exception that it may take is
     * a {@link io.github.zklock.LockException}, because the reason can also be that another run counts.
     */
    @AliasFor(annotation = DistributedLock.class)
    String fallback() default "";

    /** What the call does if the lock is lost while the method runs. */
    @AliasFor(annotation = DistributedLock.class)
    OnLost onLost() default OnLost.AS_CONFIGURED;

    /** The time after which a method that still runs loses the lock: see {@link DistributedLock#maxHold}. */
    @AliasFor(annotation = DistributedLock.class)
    String maxHold() default "";

    /** The name of the {@link io.github.zklock.LockRegistry} bean to use if there are several. */
    @AliasFor(annotation = DistributedLock.class)
    String registry() default "";
}
