/**
 * The {@code demo} command, which runs scenarios with shops that are paused and killed, and prints a verdict for each.
 *
 * <p>Imports {@code scenario} and {@code process}. No other package imports this one.
 */
@NullMarked
package com.example.ordershop.demo;

import org.jspecify.annotations.NullMarked;
