/**
 * The demonstration: the page of the shop, completions without the lock, and scenarios with shops that are paused and killed.
 * {@link com.example.ordershop.OrderShop} finds these components by its component scan when this module is on the class path.
 */
@NullMarked
package com.example.ordershop.demo;

import org.jspecify.annotations.NullMarked;
