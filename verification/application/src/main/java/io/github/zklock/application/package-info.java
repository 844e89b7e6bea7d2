/** The smallest application that takes a lock. */
@NullMarked
package io.github.zklock.application;

import org.jspecify.annotations.NullMarked;
