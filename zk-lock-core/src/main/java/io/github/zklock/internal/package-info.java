/**
 * The wording that the messages of all modules share. Imports nothing of this library. Not for users: it may change in
 * any release.
 */
@NullMarked
package io.github.zklock.internal;

import org.jspecify.annotations.NullMarked;
