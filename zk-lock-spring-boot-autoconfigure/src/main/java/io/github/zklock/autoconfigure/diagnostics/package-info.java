/** What Spring Boot prints instead of a stack trace when an application with zk-lock cannot start. */
@NullMarked
package io.github.zklock.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
