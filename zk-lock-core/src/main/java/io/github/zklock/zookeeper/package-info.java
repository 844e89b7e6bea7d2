/**
 * The registry of locks on ZooKeeper, and its builder. The packages below {@code internal} are for this project only.
 */
@NullMarked
package io.github.zklock.zookeeper;

import org.jspecify.annotations.NullMarked;
