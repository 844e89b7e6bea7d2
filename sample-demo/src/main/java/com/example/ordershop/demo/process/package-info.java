/**
 * The servers and the shops, each in a process of its own, and the HTTP client of a shop.
 *
 * <p>Imports nothing of the demonstration. Every other package of it may import this one.
 */
@NullMarked
package com.example.ordershop.demo.process;

import org.jspecify.annotations.NullMarked;
