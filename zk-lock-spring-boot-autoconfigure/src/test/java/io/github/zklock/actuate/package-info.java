@NullMarked
package io.github.zklock.actuate;

import org.jspecify.annotations.NullMarked;
