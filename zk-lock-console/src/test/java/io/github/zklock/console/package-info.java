@NullMarked
package io.github.zklock.console;

import org.jspecify.annotations.NullMarked;
