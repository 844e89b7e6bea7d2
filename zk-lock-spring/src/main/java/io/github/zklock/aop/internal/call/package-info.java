/**
 * One call of an annotated method, from the request for its locks to their release. Each kind of result has a
 * subclass of {@code LockedMethod}: synchronous, future, reactive. Imports {@code aop} and {@code declaration}; imported by {@code advice}.
 */
@NullMarked
package io.github.zklock.aop.internal.call;

import org.jspecify.annotations.NullMarked;
