/**
 * {@link io.github.zklock.config.EnableDistributedLocks}, which enables distributed locks in a Spring context without
 * Spring Boot. Imports the configurations of the other packages; no package imports this one.
 */
@NullMarked
package io.github.zklock.config;

import org.jspecify.annotations.NullMarked;
