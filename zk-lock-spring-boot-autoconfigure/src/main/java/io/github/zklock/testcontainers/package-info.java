/** ZooKeeper containers of Testcontainers as service connections. */
@NullMarked
package io.github.zklock.testcontainers;

import org.jspecify.annotations.NullMarked;
