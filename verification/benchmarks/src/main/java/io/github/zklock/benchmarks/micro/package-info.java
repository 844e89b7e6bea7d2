/** Code without requests to servers, measured with JMH. */
@NullMarked
package io.github.zklock.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
