/** The page of the sample, and the one command that brings it up. */
@NullMarked
package io.github.zklock.browser.shop;

import org.jspecify.annotations.NullMarked;
