/**
 * A ZooKeeper server inside the application, for development. Imports {@code autoconfigure}, of {@code
 * autoconfigure.startup} only the failure, and {@code internal}.
 */
@NullMarked
package io.github.zklock.embedded;

import org.jspecify.annotations.NullMarked;
