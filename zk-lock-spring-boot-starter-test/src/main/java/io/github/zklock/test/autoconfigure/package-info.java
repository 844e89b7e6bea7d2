/** Locks in tests of Spring Boot applications, by {@link io.github.zklock.test.autoconfigure.AutoConfigureZkLock}. */
@NullMarked
package io.github.zklock.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
