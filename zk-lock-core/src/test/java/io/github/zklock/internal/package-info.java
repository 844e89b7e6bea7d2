/** Tests of the wording. */
@NullMarked
package io.github.zklock.internal;

import org.jspecify.annotations.NullMarked;
