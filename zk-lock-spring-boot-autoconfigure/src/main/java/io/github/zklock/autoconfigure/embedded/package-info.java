/** A ZooKeeper server inside the application, for development. */
@NullMarked
package io.github.zklock.autoconfigure.embedded;

import org.jspecify.annotations.NullMarked;
