/** Servers and the ways between them, as real processes and sockets. */
@NullMarked
package io.github.zklock.faults.rig;

import org.jspecify.annotations.NullMarked;
