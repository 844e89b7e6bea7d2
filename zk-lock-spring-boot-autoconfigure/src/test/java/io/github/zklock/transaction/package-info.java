@NullMarked
package io.github.zklock.transaction;

import org.jspecify.annotations.NullMarked;
