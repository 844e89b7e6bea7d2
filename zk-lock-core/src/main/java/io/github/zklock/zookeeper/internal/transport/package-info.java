/**
 * Requests to ZooKeeper on one session, several writes in one transaction if they would wait for each other, and the
 * binding to Curator's client.
 *
 * <p>Imports {@code queue} and {@code runtime}. The packages that send requests to ZooKeeper may import it.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.transport;

import org.jspecify.annotations.NullMarked;
