/** The console and the sample in a real browser. */
@NullMarked
package io.github.zklock.browser;

import org.jspecify.annotations.NullMarked;
