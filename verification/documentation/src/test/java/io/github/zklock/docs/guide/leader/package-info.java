/** The code of {@code docs/guide/leadership.md}. */
@NullMarked
package io.github.zklock.docs.guide.leader;

import org.jspecify.annotations.NullMarked;
