/** The registry of locks on ZooKeeper, and its builder. The rooms below {@code internal} are for this project alone. */
@NullMarked
package io.github.zklock.zookeeper;

import org.jspecify.annotations.NullMarked;
