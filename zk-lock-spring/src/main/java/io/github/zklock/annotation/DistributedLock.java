package io.github.zklock.annotation;

import io.github.zklock.LockKind;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method under a distributed lock: by default, one caller at a time in the whole cluster. If the lock cannot be
 * acquired, the method is not invoked.
 *
 * <pre>{@code
 * @DistributedLock("/orders/#{#order.id}")
 * public void complete(Order order) { ... }
 * }</pre>
 *
 * <p>On a class or an interface, the annotation applies to each method that has no annotation of its own. It can be
 * used as a meta-annotation. If a method has several annotations, their locks are acquired together, in the same order
 * for all callers. The attributes that concern the whole call must then be equal: all but name, kind and registry.
 *
 * <p>The lock is acquired before the transaction and the cache lookup of the method begin, and inside {@code @Async}
 * and {@code @Retryable}. A method that returns a {@code CompletionStage}, a {@code Mono}, a {@code Flux} or another
 * reactive type, and a suspending function, acquire the lock without blocking a thread. Such a method holds the lock
 * until its result completes, fails or is cancelled. A method that returns a plain value holds the lock on its thread,
 * and nested calls on that thread re-enter the lock.
 *
 * <p>A lock prevents runs at the same time, not repeated runs. Use {@link RunOncePer} for a scheduled job.
 *
 * <p>If the caller passes {@code null} for a parameter of type {@link io.github.zklock.LockHandle} or {@link
 * io.github.zklock.FencingToken}, the method receives the handle or the token of its lock. A method with several locks
 * takes a {@link io.github.zklock.Handle}.
 *
 * <p>Not guaranteed: self-invocation bypasses the lock, because no proxy intercepts the call. Guard such a method with
 * {@link io.github.zklock.LockContext#assertHeld}. A paused process can continue to work after its lock is lost. Pass
 * the fencing token to the database or service that the lock guards.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(DistributedLocks.class)
@Documented
@Reflective
public @interface DistributedLock {

    /** Alias for {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /**
     * The name of the lock: text with placeholders and expressions. <code>${...}</code> is replaced by a property.
     * <code>#{...}</code> is an expression that can use the arguments ({@code #id}, {@code #p0}), the target ({@code
     * target}) and beans ({@code @bean}).
     *
     * <p>Each call evaluates the expressions once. The result of an expression is one segment of the name, and special
     * characters in it are encoded. Only if the whole name is a single expression, its result may be a path of several
     * segments. If a result is null, empty or an object without a {@code toString()} of its own, the call fails.
     */
    @AliasFor("value")
    String name() default "";

    /**
     * The kind of access: {@link LockKind#EXCLUSIVE}, or {@link LockKind#READ} or {@link LockKind#WRITE} of the read/write
     * lock of this name, or {@link LockKind#PERMITS} for one of a semaphore's {@link #permits}.
     */
    LockKind kind() default LockKind.EXCLUSIVE;

    /**
     * The number of calls that may run at once in the whole cluster. A value above one requests a permit of a semaphore. If
     * processes have different numbers, the smallest one counts. With one, the lock is exclusive, unless the kind is {@link
     * LockKind#PERMITS}. A change between a lock and a semaphore requires a stop of all processes.
     */
    int permits() default 1;

    /**
     * The longest time to wait for the lock, such as {@code 500ms}, {@code 2s} or {@code PT2S}. {@code 0} does not wait
     * for a holder, {@code forever} waits without limit. The default is the value of {@code zk.lock.wait-time}. May
     * contain <code>${...}</code>.
     */
    String waitTime() default "";

    /** What the call does if other callers hold the lock for the whole wait time. */
    OnBusy onBusy() default OnBusy.AS_CONFIGURED;

    /**
     * The name of the method that {@link OnBusy#FALLBACK} calls. It is a method of the same class with the same
     * parameters, optionally followed by a {@link io.github.zklock.LockTimeoutException}.
     */
    String fallback() default "";

    /** What the call does if the lock is lost while the method runs. */
    OnLost onLost() default OnLost.AS_CONFIGURED;

    /**
     * The time after which a method that still runs loses the lock. The default is the value of {@code
     * zk.lock.max-hold}, which a longer time cannot exceed. May contain <code>${...}</code>.
     */
    String maxHold() default "";

    /** The name of the {@link io.github.zklock.LockRegistry} bean to use if there are several. */
    String registry() default "";
}
