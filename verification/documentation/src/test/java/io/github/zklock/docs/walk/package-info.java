/** What {@code docs/how-it-works.md} says of nodes, classes and the herd, measured and shown on real servers. */
@NullMarked
package io.github.zklock.docs.walk;

import org.jspecify.annotations.NullMarked;
