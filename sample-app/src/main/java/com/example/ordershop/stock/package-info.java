/** What the shop sells, and how much of it is left. */
@NullMarked
package com.example.ordershop.stock;

import org.jspecify.annotations.NullMarked;
