@NullMarked
package io.github.zklock.zookeeper.internal.transport;

import org.jspecify.annotations.NullMarked;
