/** An application on Spring Boot 3 that uses the core without the other modules, and its test with two instances. */
@NullMarked
package io.github.zklock.boot3;

import org.jspecify.annotations.NullMarked;
