package io.github.zklock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Exempts the transaction of a method from the check of locks before its commit: for code that must record the loss of a
 * lock, such as an audit row.
 *
 * <pre>{@code
 * @CommitDespiteLockLoss
 * @Transactional(propagation = Propagation.REQUIRES_NEW)
 * public void recordLoss(LockLostException loss) { ... }
 * }</pre>
 *
 * <p>On a class or an interface, it stands for each transactional method. Usable as a meta-annotation. It concerns the
 * transaction that the method begins. If the method takes part in the transaction of its caller, that transaction is
 * checked.
 *
 * <p>Not guaranteed: anything about transactions that no annotation declares. Neither a {@code TransactionTemplate} inside
 * the method nor a call of the object on itself is exempt.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface CommitDespiteLockLoss {}
