/**
 * The ZooKeeper server in this JVM, for {@code io.github.zklock.embedded} and the module {@code
 * zk-lock-spring-boot-starter-test}. Imports ZooKeeper only.
 */
@NullMarked
package io.github.zklock.embedded.internal;

import org.jspecify.annotations.NullMarked;
