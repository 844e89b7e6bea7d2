@NullMarked
package io.github.zklock;

import org.jspecify.annotations.NullMarked;
