/**
 * Locks under real faults: servers and clients are processes of their own, which are stopped, killed and cut off, and
 * what all of them saw is judged on one line of time. A scenario that fails keeps its events and logs below {@code
 * target/faults}; with {@code FAULTS_KEEP=true} in the environment of {@code run} each one does.
 */
@NullMarked
package io.github.zklock.faults;

import org.jspecify.annotations.NullMarked;
