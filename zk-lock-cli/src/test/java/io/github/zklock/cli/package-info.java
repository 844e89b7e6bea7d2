/** Tests of the command line. */
@NullMarked
package io.github.zklock.cli;

import org.jspecify.annotations.NullMarked;
