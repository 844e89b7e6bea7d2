/** Orders: placed, and completed once each. */
@NullMarked
package com.example.ordershop.order;

import org.jspecify.annotations.NullMarked;
