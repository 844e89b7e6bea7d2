/** The locks of reactive code and of coroutines, which no thread can know. */
@NullMarked
package io.github.zklock.reactive;

import org.jspecify.annotations.NullMarked;
