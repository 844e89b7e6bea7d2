/** The timeline of a scenario run as a page for people. */
@NullMarked
package io.github.zklock.faults.picture;

import org.jspecify.annotations.NullMarked;
