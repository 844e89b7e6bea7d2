@NullMarked
package io.github.zklock.zookeeper.internal.runtime;

import org.jspecify.annotations.NullMarked;
