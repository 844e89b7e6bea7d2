/** The rules K1 to K9, which judge every timeline. */
@NullMarked
package io.github.zklock.faults.check;

import org.jspecify.annotations.NullMarked;
