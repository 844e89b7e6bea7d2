/** What asks no server, measured by JMH. */
@NullMarked
package io.github.zklock.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
