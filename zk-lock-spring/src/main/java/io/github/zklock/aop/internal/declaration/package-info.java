/**
 * The annotations of a method: finds them, validates them once, and evaluates them for each call into a request for
 * locks. Imports {@code aop}; imported by {@code call} and {@code advice}.
 */
@NullMarked
package io.github.zklock.aop.internal.declaration;

import org.jspecify.annotations.NullMarked;
