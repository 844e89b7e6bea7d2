/** The client processes, and the engines that provide their locks. */
@NullMarked
package io.github.zklock.faults.client;

import org.jspecify.annotations.NullMarked;
