/** What several features of this module have in common. Not for applications. */
@NullMarked
package io.github.zklock.support;

import org.jspecify.annotations.NullMarked;
