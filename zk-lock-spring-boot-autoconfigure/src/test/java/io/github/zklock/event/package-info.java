@NullMarked
package io.github.zklock.event;

import org.jspecify.annotations.NullMarked;
