package io.github.zklock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method under a lock that is held by one caller in the whole cluster. The method never runs without it.
 *
 * <pre>{@code
 * @DistributedLock("/orders/#{#order.id}")
 * public void complete(Order order) { ... }
 * }</pre>
 *
 * <p>On a class or an interface, it stands for each of its methods that has none of its own. Usable as a meta-annotation.
 * Several on one method are acquired together, in one order for all callers; what they say of the call as a whole (all
 * but name, mode, permits, condition and registry) must then be the same.
 *
 * <p>The lock is acquired outside the method's transaction and cache, and inside {@code @Async} and {@code @Retryable}.
 * A method that returns a {@code CompletionStage}, a {@code Mono}, a {@code Flux} or another reactive type, and a
 * suspending function, acquire without blocking and hold until the result completes, fails or is cancelled. On the
 * thread of a method that returns a plain value, nested calls re-enter the lock.
 *
 * <p>A parameter of type {@link io.github.zklock.LockHandle} or {@link io.github.zklock.FencingToken} is filled in when
 * the caller passes {@code null}.
 *
 * <p>Not guaranteed: that a call of the object on itself goes through the lock, since no proxy sees it. Guard such a
 * method with {@link io.github.zklock.LockContext#assertHeld}. Nor that a paused process notices in time that its lock is
 * lost: pass the fencing token on to what is guarded.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(DistributedLocks.class)
@Documented
@Reflective
public @interface DistributedLock {

    /** Alias of {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /**
     * The name of the lock: text in which <code>${...}</code> stands for a property, and <code>#{...}</code> for an
     * expression over the arguments ({@code #id}, {@code #p0}), the target ({@code target}) and beans ({@code @bean}).
     *
     * <p>Expressions are evaluated once per call. What one yields is one segment of the name, whatever characters it
     * has; only a name that is a single expression may be a path of several. Null, empty text and objects that have no
     * text of their own fail the call.
     */
    @AliasFor("value")
    String name() default "";

    /** With whom the lock is shared. */
    LockMode mode() default LockMode.EXCLUSIVE;

    /**
     * How many calls in the whole cluster may run at once. All must agree on the number. More than one only with {@link
     * LockMode#EXCLUSIVE}.
     */
    int permits() default 1;

    /**
     * How long to wait while others hold the lock, as {@code 500ms}, {@code 2s} or {@code PT2S}; {@code 0} not to wait for
     * a holder, {@code forever} to wait without limit; by default what {@code zk.lock.wait-time} says. May hold
     * <code>${...}</code>.
     */
    String waitTime() default "";

    /** What to do when others have held the lock for all of that time. */
    OnBusy onBusy() default OnBusy.AS_CONFIGURED;

    /**
     * The method of the same class to call with {@link OnBusy#FALLBACK}: with the same parameters, and optionally a {@link
     * io.github.zklock.LockException} after them.
     */
    String fallback() default "";

    /** What to do when the lock is lost while the method runs. */
    OnLost onLost() default OnLost.AS_CONFIGURED;

    /**
     * An expression as in {@link #name}, without the braces. Where it is false the method runs without this lock: the
     * caller's own statement that this call needs none.
     */
    String condition() default "";

    /** The lock is kept for at least this long, also when the method returns earlier. May hold <code>${...}</code>. */
    String holdAtLeast() default "";

    /**
     * The lock is taken from a method that runs for longer, which is a loss. By default what {@code zk.lock.max-hold}
     * says, beyond which it has no effect. May hold <code>${...}</code>.
     */
    String maxHold() default "";

    /** The name of the {@link io.github.zklock.LockRegistry} bean, where there are several. */
    String registry() default "";
}
