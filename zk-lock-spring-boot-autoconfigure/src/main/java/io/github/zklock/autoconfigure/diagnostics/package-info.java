/**
 * Failure analyzers: the texts that Spring Boot prints instead of a stack trace if an application with zk-lock fails to
 * start.
 */
@NullMarked
package io.github.zklock.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
