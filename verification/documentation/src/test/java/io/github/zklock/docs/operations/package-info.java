/** What {@code docs/operations.md}, its alerts and {@code docs/troubleshooting.md} say of a running application. */
@NullMarked
package io.github.zklock.docs.operations;

import org.jspecify.annotations.NullMarked;
