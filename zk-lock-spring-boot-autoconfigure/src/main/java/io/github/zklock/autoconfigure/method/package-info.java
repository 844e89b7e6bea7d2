/** Auto-configuration of annotated methods and of their transactions. */
@NullMarked
package io.github.zklock.autoconfigure.method;

import org.jspecify.annotations.NullMarked;
