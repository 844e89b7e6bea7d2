/** Types that several packages of this module use. Not for applications. */
@NullMarked
package io.github.zklock.support;

import org.jspecify.annotations.NullMarked;
