/**
 * Annotated methods of beans, for any annotation: finds them, applies advice to them, and checks that each of them is
 * intercepted. Imports no other package of this project. Applications see only {@link
 * io.github.zklock.aop.method.InvalidAnnotationException}.
 */
@NullMarked
package io.github.zklock.aop.method;

import org.jspecify.annotations.NullMarked;
