@NullMarked
package io.github.zklock.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
