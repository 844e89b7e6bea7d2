/** A page that shows locks, their queues and what became of them, for people. */
@NullMarked
package io.github.zklock.console;

import org.jspecify.annotations.NullMarked;
