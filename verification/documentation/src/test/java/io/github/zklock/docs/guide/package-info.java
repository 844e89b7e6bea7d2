/** The code of the guide: the registry and its locks, without Spring. */
@NullMarked
package io.github.zklock.docs.guide;

import org.jspecify.annotations.NullMarked;
