/**
 * Several locks as one: acquired in one order under one deadline, and released together. The locks may belong to
 * different registries and implementations. Imports {@code runtime} and no other package below {@code zookeeper}; imported by
 * {@code engine}.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.joint;

import org.jspecify.annotations.NullMarked;
