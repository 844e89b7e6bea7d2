/** The moving picture of the front page. */
@NullMarked
package io.github.zklock.docs.picture;

import org.jspecify.annotations.NullMarked;
