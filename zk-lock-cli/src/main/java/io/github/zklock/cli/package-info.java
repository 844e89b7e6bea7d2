/** The command {@code zk-lock}. */
@NullMarked
package io.github.zklock.cli;

import org.jspecify.annotations.NullMarked;
