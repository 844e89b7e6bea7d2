/** The processes under test, and what they take their locks from. */
@NullMarked
package io.github.zklock.faults.client;

import org.jspecify.annotations.NullMarked;
