/** The locks of reactive code and of coroutines, which are not bound to a thread. */
@NullMarked
package io.github.zklock.reactive;

import org.jspecify.annotations.NullMarked;
