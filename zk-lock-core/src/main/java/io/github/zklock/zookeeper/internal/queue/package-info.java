@NullMarked
package io.github.zklock.zookeeper.internal.queue;

import org.jspecify.annotations.NullMarked;
