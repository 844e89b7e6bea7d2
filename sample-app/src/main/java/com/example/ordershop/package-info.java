/** A shop whose order statistics go wrong without a lock. */
@NullMarked
package com.example.ordershop;

import org.jspecify.annotations.NullMarked;
