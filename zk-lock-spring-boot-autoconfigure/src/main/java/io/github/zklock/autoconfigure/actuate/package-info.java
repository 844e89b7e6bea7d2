/** Actuator support: the endpoint {@code zklocks} and the health of the session. */
@NullMarked
package io.github.zklock.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
