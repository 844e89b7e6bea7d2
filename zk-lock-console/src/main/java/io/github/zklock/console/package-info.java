/**
 * A web page for the actuator endpoint {@code zklocks}. It depends on the actuator and on the API of locks, and the
 * filters of its headers on the web server; no other package depends on it.
 */
@NullMarked
package io.github.zklock.console;

import org.jspecify.annotations.NullMarked;
