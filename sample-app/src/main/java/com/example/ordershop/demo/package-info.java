/** The demonstration: shops in processes of their own, which run with and without the lock, and are paused and killed. */
@NullMarked
package com.example.ordershop.demo;

import org.jspecify.annotations.NullMarked;
