/** ZooKeeper services of Docker Compose as service connections. */
@NullMarked
package io.github.zklock.docker.compose;

import org.jspecify.annotations.NullMarked;
