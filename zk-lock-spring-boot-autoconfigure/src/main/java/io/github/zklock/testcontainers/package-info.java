/** Service connections for ZooKeeper containers of Testcontainers. */
@NullMarked
package io.github.zklock.testcontainers;

import org.jspecify.annotations.NullMarked;
