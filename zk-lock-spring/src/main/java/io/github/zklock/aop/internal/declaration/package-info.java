/**
 * What the annotations of a method declare: found, validated once, and evaluated for each call into the request for its
 * locks. Imports {@code aop}; imported by {@code call} and {@code advice}.
 */
@NullMarked
package io.github.zklock.aop.internal.declaration;

import org.jspecify.annotations.NullMarked;
