/** Tests of the nodes and figures in {@code docs/how-it-works.md}, and of the classes that {@code docs/internals/engine.md} names. */
@NullMarked
package io.github.zklock.docs.walk;

import org.jspecify.annotations.NullMarked;
