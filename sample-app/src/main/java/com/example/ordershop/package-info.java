/** The sample application: a shop that recomputes order statistics under a distributed lock. */
@NullMarked
package com.example.ordershop;

import org.jspecify.annotations.NullMarked;
