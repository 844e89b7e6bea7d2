/** What happened, drawn for people. */
@NullMarked
package io.github.zklock.faults.picture;

import org.jspecify.annotations.NullMarked;
