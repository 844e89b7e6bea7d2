/** What the documentation says of the project's own files. */
@NullMarked
package io.github.zklock.docs;

import org.jspecify.annotations.NullMarked;
