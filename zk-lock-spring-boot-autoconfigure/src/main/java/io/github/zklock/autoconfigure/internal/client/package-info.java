/**
 * This process as a client of the servers: the client that the registry uses, its TLS stores, and the name of the process
 * in the queues. Native-image hints for the classes that the client loads by name.
 *
 * <p>Imports nothing of this module. The auto-configuration of the registry, {@code startup} and {@code actuate} may
 * import it.
 */
@NullMarked
package io.github.zklock.autoconfigure.internal.client;

import org.jspecify.annotations.NullMarked;
