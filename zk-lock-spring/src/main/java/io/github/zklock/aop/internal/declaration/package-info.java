/**
 * The annotations of a method: validates them once, and evaluates them for each call into a request for locks. Imports
 * {@code aop} and {@code aop.method}; imported by {@code call} and {@code advice}.
 */
@NullMarked
package io.github.zklock.aop.internal.declaration;

import org.jspecify.annotations.NullMarked;
