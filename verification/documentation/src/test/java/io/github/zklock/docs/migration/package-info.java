/** What {@code docs/migration} shows: code before and after, and fleets in which both run. */
@NullMarked
package io.github.zklock.docs.migration;

import org.jspecify.annotations.NullMarked;
