/** Orders: a lock for each order. */
@NullMarked
package com.example.ordershop.order;

import org.jspecify.annotations.NullMarked;
