/**
 * The components that the demonstration adds to a shop: the requests of the page, completions without the lock, and a gate
 * that stops writes. {@link com.example.ordershop.OrderShop} finds them by its component scan when this module is on the class
 * path.
 *
 * <p>Imports the shop only. No other package imports this one.
 */
@NullMarked
package com.example.ordershop.demo.page;

import org.jspecify.annotations.NullMarked;
