/** Servers and the ways between them, as real processes and sockets. */
@NullMarked
package io.github.zklock.faults.cluster;

import org.jspecify.annotations.NullMarked;
