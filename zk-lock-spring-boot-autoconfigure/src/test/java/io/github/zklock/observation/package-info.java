@NullMarked
package io.github.zklock.observation;

import org.jspecify.annotations.NullMarked;
