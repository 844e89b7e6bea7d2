package io.github.zklock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Exempts the transaction of a method from the lock check before its commit. Use it for code that records the loss of a
 * lock, such as an audit row.
 *
 * <pre>{@code
 * @CommitDespiteLockLoss
 * @Transactional(propagation = Propagation.REQUIRES_NEW)
 * public void recordLoss(LockLostException loss) { ... }
 * }</pre>
 *
 * <p>On a class or an interface, the annotation applies to each transactional method. It can be used as a
 * meta-annotation. The exemption covers the transaction that the method begins. If the method takes part in the
 * transaction of its caller, that transaction is still checked.
 *
 * <p>Not guaranteed: an effect on transactions that no annotation declares. The annotation does not exempt a {@code
 * TransactionTemplate} inside the method. Self-invocation bypasses the annotation.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface CommitDespiteLockLoss {}
