/** Service connections for ZooKeeper services of Docker Compose. */
@NullMarked
package io.github.zklock.docker.compose;

import org.jspecify.annotations.NullMarked;
