/** Work that runs by the clock, on one of all instances. */
@NullMarked
package com.example.ordershop.job;

import org.jspecify.annotations.NullMarked;
