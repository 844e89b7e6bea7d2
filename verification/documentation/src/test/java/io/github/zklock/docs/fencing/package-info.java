/** What {@code docs/fencing.md} shows: writers that check the token of their lock, on real stores. */
@NullMarked
package io.github.zklock.docs.fencing;

import org.jspecify.annotations.NullMarked;
