package io.github.zklock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Invokes a method only in the process that is the leader at the time of the call. All other processes skip the call.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 * * * *")
 * @OnlyLeader("/reports")
 * public void publish() { ... }
 * }</pre>
 *
 * <p>The context needs a {@link io.github.zklock.Leadership} bean of this name. With Spring Boot, the property {@code
 * zk.lock.leadership} declares it. Without such a bean, the context does not start. On a class, the annotation
 * applies to all its methods; on an interface, to the methods that the interface declares.
 *
 * <p>A skipped call returns nothing, {@code false}, an empty {@code Optional}, an empty reactive result, a future that
 * is completed with {@code null}, or {@code null} if the return type is nullable. Another return type has no value that
 * means "skipped", and the context does not start.
 *
 * <p>Not guaranteed: that the process is still the leader when the method ends, or when a future or publisher that the
 * method returns does its work. Check {@link io.github.zklock.Leadership#isLeader()} between the steps of long work.
 * Self-invocation bypasses the check, because no proxy intercepts the call.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface OnlyLeader {

    /** The name of the leadership, such as {@code /reports}. May contain <code>${...}</code>. */
    String value();
}
